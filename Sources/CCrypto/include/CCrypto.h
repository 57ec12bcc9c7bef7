/*
 * libcrypto as a table of its functions.
 *
 * Linked in the usual way the library costs every start 1.7 MB resident and 0.6 ms (Debian 12, OpenSSL 3.0, x86-64),
 * whether it is used or not. So nothing here is linked: the headers give the types, dlopen gives the functions.
 */
#pragma once
#include <library_table.h>
#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs7.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdint.h>

#define DASHRIG_CRYPTO_FUNCTIONS(X) \
    X(OPENSSL_init_crypto) X(CRYPTO_free) X(RAND_bytes) \
    X(ERR_clear_error) X(ERR_get_error) X(ERR_error_string_n) \
    X(BIO_new) X(BIO_s_mem) X(BIO_new_mem_buf) X(BIO_read) X(BIO_free_all) \
    X(BN_free) X(BN_is_word) X(BN_bin2bn) X(BN_bn2binpad) \
    X(ASN1_INTEGER_free) X(BN_to_ASN1_INTEGER) X(ASN1_STRING_get0_data) X(ASN1_STRING_length) X(ASN1_STRING_type) \
    X(ASN1_TIME_set) X(ASN1_TIME_to_tm) \
    X(EVP_PKEY_CTX_new_id) X(EVP_PKEY_CTX_free) X(EVP_PKEY_keygen_init) X(EVP_PKEY_generate) \
    X(EVP_PKEY_CTX_set_rsa_keygen_bits) X(EVP_PKEY_CTX_set_ec_paramgen_curve_nid) \
    X(EVP_PKEY_free) X(EVP_PKEY_up_ref) X(EVP_PKEY_is_a) X(EVP_PKEY_get_bits) X(EVP_PKEY_get_group_name) X(EVP_PKEY_get_bn_param) \
    X(EVP_MD_CTX_new) X(EVP_MD_CTX_free) X(EVP_sha1) X(EVP_sha256) X(EVP_Digest) \
    X(EVP_DigestSignInit) X(EVP_DigestSign) X(EVP_DigestVerifyInit) X(EVP_DigestVerify) \
    X(ECDSA_SIG_new) X(ECDSA_SIG_free) X(ECDSA_SIG_get0_r) X(ECDSA_SIG_get0_s) X(ECDSA_SIG_set0) \
    X(d2i_ECDSA_SIG) X(i2d_ECDSA_SIG) \
    X(PEM_write_bio_PrivateKey) X(PEM_read_bio_PrivateKey) X(PEM_write_bio_X509) X(PEM_read_bio_X509) \
    X(X509_new) X(X509_free) X(X509_dup) X(d2i_X509) X(i2d_X509) X(i2d_re_X509_tbs) \
    X(X509_set_version) X(X509_set_serialNumber) X(X509_get0_serialNumber) X(X509_set_pubkey) X(X509_get0_pubkey) \
    X(X509_getm_notBefore) X(X509_getm_notAfter) X(X509_get0_notBefore) X(X509_get0_notAfter) \
    X(X509_get_subject_name) X(X509_set_issuer_name) X(X509_NAME_add_entry_by_txt) X(X509_NAME_print_ex) \
    X(X509V3_EXT_conf_nid) X(X509_EXTENSION_free) X(X509_add_ext) \
    X(X509_sign) X(X509_verify) X(X509_check_issued) X(X509_check_private_key) \
    X(PKCS7_new) X(PKCS7_free) X(PKCS7_set_type) X(PKCS7_content_new) X(PKCS7_ctrl) X(PKCS7_add_certificate) \
    X(d2i_PKCS7) X(i2d_PKCS7) X(OBJ_obj2nid) X(OPENSSL_sk_num) X(OPENSSL_sk_value) X(X509_up_ref)

DASHRIG_TABLE(crypto, DASHRIG_CRYPTO_FUNCTIONS)

/* How names are printed: one line in order, "CN=...", with everything that is not printable ASCII escaped. */
static const unsigned long dashrig_crypto_name_flags = XN_FLAG_RFC2253 & ~XN_FLAG_DN_REV;

/* The size of a certificate (PKCS#7 SignedData with this certificate and nothing else) written to `*out`, which the
   caller gives back with CRYPTO_free; -1 on failure. */
int dashrig_crypto_wrap(const struct dashrig_crypto *_Nonnull crypto, X509 *_Nonnull certificate,
                        unsigned char *_Nullable *_Nonnull out);

/* The one certificate of a PKCS#7 SignedData in DER, which the caller frees; null when the bytes are anything else. */
X509 *_Nullable dashrig_crypto_unwrap(const struct dashrig_crypto *_Nonnull crypto, const unsigned char *_Nullable bytes,
                                      long length);

/* A time as seconds since 1970 in UTC; 0 when it is none. */
int dashrig_crypto_seconds(const struct dashrig_crypto *_Nonnull crypto, const ASN1_TIME *_Nullable time,
                           int64_t *_Nonnull seconds);

/* How a name is handed over: in UTF-8. */
static const int dashrig_crypto_utf8 = MBSTRING_UTF8;
