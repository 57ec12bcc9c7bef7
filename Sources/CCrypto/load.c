#define _GNU_SOURCE
#include "CCrypto.h"

#include <string.h>
#include <time.h>

#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)
/* The library that the headers belong to: another number has other functions. */
#define LIBRARY "libcrypto.so." TEXT(OPENSSL_SHLIB_VERSION)

/* No configuration file, which could load code of others; no work at exit, when threads may still be inside. */
#define OPTIONS (OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT)

DASHRIG_TABLE_LOADED(crypto, LIBRARY, DASHRIG_CRYPTO_FUNCTIONS,
                     table.OPENSSL_init_crypto(OPTIONS, NULL) == 1 ? NULL : "does not start")

int dashrig_crypto_wrap(const struct dashrig_crypto *crypto, X509 *certificate, unsigned char **out) {
    int length = -1;
    PKCS7 *container = crypto->PKCS7_new();
    *out = NULL;
    if (container == NULL) return -1;
    if (crypto->PKCS7_set_type(container, NID_pkcs7_signed) == 1 &&
        crypto->PKCS7_content_new(container, NID_pkcs7_data) == 1 &&
        crypto->PKCS7_ctrl(container, PKCS7_OP_SET_DETACHED_SIGNATURE, 1, NULL) == 1 &&
        crypto->PKCS7_add_certificate(container, certificate) == 1)
        length = crypto->i2d_PKCS7(container, out);
    crypto->PKCS7_free(container);
    return length > 0 ? length : -1;
}

X509 *dashrig_crypto_unwrap(const struct dashrig_crypto *crypto, const unsigned char *bytes, long length) {
    X509 *certificate = NULL;
    unsigned char *again = NULL;
    const unsigned char *place = bytes;
    PKCS7 *container = crypto->d2i_PKCS7(NULL, &place, length);
    if (container == NULL) return NULL;
    /* What is written again is DER; anything else (BER, bytes behind it) was not. */
    if (place == bytes + length && crypto->i2d_PKCS7(container, &again) == length &&
        memcmp(again, bytes, (size_t)length) == 0 && crypto->OBJ_obj2nid(container->type) == NID_pkcs7_signed &&
        container->d.sign != NULL && crypto->OPENSSL_sk_num((const OPENSSL_STACK *)container->d.sign->cert) == 1) {
        certificate = crypto->OPENSSL_sk_value((const OPENSSL_STACK *)container->d.sign->cert, 0);
        if (certificate != NULL && crypto->X509_up_ref(certificate) != 1) certificate = NULL;
    }
    crypto->CRYPTO_free(again, __FILE__, __LINE__);
    crypto->PKCS7_free(container);
    return certificate;
}

int dashrig_crypto_seconds(const struct dashrig_crypto *crypto, const ASN1_TIME *time, int64_t *seconds) {
    struct tm parts;
    memset(&parts, 0, sizeof parts);
    /* Without a time, libcrypto would answer with the clock's. */
    if (time == NULL || crypto->ASN1_TIME_to_tm(time, &parts) != 1) return 0;
    *seconds = timegm(&parts);
    return 1;
}
