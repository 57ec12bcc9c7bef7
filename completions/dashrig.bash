# bash completion for dashrig; printed by: dashrig completion bash
# shellcheck shell=bash disable=SC2207

# What a rig has, one name a line; nothing when none answers at once.
_dashrig_names() {
    local folder=() i
    for ((i = 1; i < COMP_CWORD; i++)); do
        [[ ${COMP_WORDS[i]} == --socket-dir ]] && folder=(--socket-dir "${COMP_WORDS[i + 1]}")
    done
    "${COMP_WORDS[0]}" "$@" --names --timeout 500ms "${folder[@]}" 2>/dev/null
}

_dashrig() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local path='' place=0 skip=0 word i words='' kind='' before=''
    COMPREPLY=()
    # bash makes a word of its own of an equals sign.
    if [[ $current == '=' ]]; then
        current=''
    elif [[ $previous == '=' ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
        [[ $previous == --* ]] || return
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $word == '=' ]]; then skip=1; continue; fi
        if ((skip)); then skip=0; continue; fi
        case $word in
            --socket-dir | --timeout | --kinds | --device | --for | --until | --output | --count | --name | --serial | --displays | --slow | --late | --trust-after | --misorder | --refuse | --link-version | --generation | --after | --every | --over | --display | --tag | --wait | --within | --velocity | --speed | --loop | --recorded | --description | --config | --table | --id | --size | --resolution | --slots | --play | --delay | --source | --direction | --at | --from | --after-bytes | --junit | --artifacts | --set | --seed | --row | --runs | --unplug-at | --interval | --hold | --csv | --on | --off | --labgrid | --bundle | --descriptor) skip=1; continue ;;
            --*) continue ;;
        esac
        case "$path $word" in
            ' status' | ' devices' | ' sessions' | ' displays' | ' watch' | ' capture' | ' profiles' | ' plug' | ' unplug' | ' lock' | ' unlock' | ' trust' | ' untrust' | ' refuse' | ' slow' | ' late' | ' misorder' | ' carplay' | ' retry' | ' front' | ' usb' | ' usb accessory' | ' usb role-switch' | ' knob' | ' knob rotate' | ' knob press' | ' knob nudge' | ' touch' | ' touch tap' | ' touch swipe' | ' touch flick' | ' touch path' | ' touchpad' | ' touchpad tap' | ' touchpad swipe' | ' touchpad flick' | ' touchpad path' | ' key' | ' input' | ' input record' | ' input replay' | ' input create' | ' inject' | ' inject-key' | ' inject-rotary' | ' inject-motion' | ' appearance' | ' driver-side' | ' limited-ui' | ' vehicle' | ' vehicle show' | ' vehicle set' | ' vehicle track' | ' vehicle stop-track' | ' display' | ' display set' | ' fault' | ' fault list' | ' fault set' | ' fault clear' | ' run' | ' scenario' | ' scenario check' | ' scenario format' | ' scenario explain' | ' simulate' | ' cycle' | ' unlease' | ' send' | ' messages' | ' mark' | ' launch' | ' decode' | ' decode link' | ' decode control' | ' decode hid' | ' doctor' | ' completion' | ' version' | ' help') path="$path $word" ;;
            *) place=$((place + 1)) ;;
        esac
    done
    case "$path $previous" in
        *' --socket-dir') kind=folder ;;
        *' --kinds') kind=list words='device phone session link message file display front vehicle input app configuration fault lease stream device.attached device.changed device.detached device.refused phone.changed session.opened session.phase session.waiting session.active session.closed link.irregularity message.sent message.received file.received display.added display.changed display.removed front.changed vehicle.changed input.knob input.touch input.touchpad input.key input.intent input.step input.lost app.launched app.ended configuration.reloaded configuration.refused fault.armed fault.struck fault.cleared lease.taken mark resync stream.lost' ;;
        ' watch --device') kind=devices ;;
        ' knob rotate --device') kind=device ;;
        ' knob press --device') kind=device ;;
        ' knob nudge --device') kind=device ;;
        ' touch tap --device') kind=device ;;
        ' touch swipe --device') kind=device ;;
        ' touch flick --device') kind=device ;;
        ' touch path --device') kind=device ;;
        ' touchpad tap --device') kind=device ;;
        ' touchpad swipe --device') kind=device ;;
        ' touchpad flick --device') kind=device ;;
        ' touchpad path --device') kind=device ;;
        ' key --device') kind=device ;;
        ' input replay --device') kind=device ;;
        ' inject --device') kind=device ;;
        ' inject-key --device') kind=device ;;
        ' inject-rotary --device') kind=device ;;
        ' inject-motion --device') kind=device ;;
        ' fault list --device') kind=device ;;
        ' fault set --device') kind=device ;;
        ' fault clear --device') kind=device ;;
        ' launch --device') kind=device ;;
        *' --output') kind='file' ;;
        *' --displays') kind=headUnit ;;
        ' plug --late') kind=words words='certificateRequest= challenge= authenticationVerdict= identificationRequest= identificationVerdict= information= sessionOffer=' ;;
        *' --misorder') kind=words words='identificationEarly challengeFirst resultFirst acceptanceFirst offerFirst' ;;
        *' --refuse') kind=words words='authentication identification session certificate signature trust' ;;
        *' --display') kind=display ;;
        ' knob rotate --wait') kind=words words='accepted delivered read' ;;
        ' knob press --wait') kind=words words='accepted delivered read' ;;
        ' knob nudge --wait') kind=words words='accepted delivered read' ;;
        ' touch tap --wait') kind=words words='accepted delivered read' ;;
        ' touch swipe --wait') kind=words words='accepted delivered read' ;;
        ' touch flick --wait') kind=words words='accepted delivered read' ;;
        ' touch path --wait') kind=words words='accepted delivered read' ;;
        ' touchpad tap --wait') kind=words words='accepted delivered read' ;;
        ' touchpad swipe --wait') kind=words words='accepted delivered read' ;;
        ' touchpad flick --wait') kind=words words='accepted delivered read' ;;
        ' touchpad path --wait') kind=words words='accepted delivered read' ;;
        ' key --wait') kind=words words='accepted delivered read' ;;
        ' inject --wait') kind=words words='accepted delivered read' ;;
        ' inject-key --wait') kind=words words='accepted delivered read' ;;
        ' inject-rotary --wait') kind=words words='accepted delivered read' ;;
        ' inject-motion --wait') kind=words words='accepted delivered read' ;;
        *' --description') kind='file' ;;
        *' --config') kind='file' ;;
        *' --table') kind='file' ;;
        *' --play') kind='file' ;;
        *' --source') kind=words words='touchscreen touchpad touchnavigation joystick stylus gamepad dpad mouse keyboard trackball' ;;
        *' --direction') kind=words words='to-device from-device both' ;;
        *' --at') kind=words words='detecting synchronizing authenticating identifying starting active detection offer answer certificate-request certificate challenge response authentication-result identification-request identification identification-result availability start-session displays' ;;
        ' fault set --from') kind=words words='detecting synchronizing authenticating identifying starting active' ;;
        ' send --from') kind=words words='phone headUnit' ;;
        *' --junit') kind='file' ;;
        *' --artifacts') kind=folder ;;
        *' --unplug-at') kind=words words='random detecting synchronizing authenticating identifying starting active detection offer answer certificate-request certificate challenge response authentication-result identification-request identification identification-result availability start-session displays' ;;
        *' --csv') kind='file' ;;
        *' --timeout' | *' --device' | *' --for' | *' --until' | *' --count' | *' --name' | *' --serial' | *' --slow' | *' --late' | *' --trust-after' | *' --link-version' | *' --generation' | *' --after' | *' --every' | *' --over' | *' --tag' | *' --wait' | *' --within' | *' --velocity' | *' --speed' | *' --loop' | *' --recorded' | *' --id' | *' --size' | *' --resolution' | *' --slots' | *' --delay' | *' --from' | *' --after-bytes' | *' --set' | *' --seed' | *' --row' | *' --runs' | *' --interval' | *' --hold' | *' --on' | *' --off' | *' --labgrid' | *' --bundle' | *' --descriptor') kind=none ;;
    esac
    if [[ -z $kind ]]; then
        case $path in
            '') kind=words words='status devices sessions displays watch capture profiles plug unplug lock unlock trust untrust refuse slow late misorder carplay retry front usb knob touch touchpad key input inject inject-key inject-rotary inject-motion appearance driver-side limited-ui vehicle display fault run scenario simulate cycle unlease send messages mark launch decode doctor completion version help --json --socket-dir --timeout --help --version' ;;
            ' status')
                if [[ $current == -* ]]; then
                    kind=words words='--json --socket-dir --timeout --help --version'
                fi
                ;;
            ' devices')
                if [[ $current == -* ]]; then
                    kind=words words='--names --json --socket-dir --timeout --help --version'
                fi
                ;;
            ' sessions')
                if [[ $current == -* ]]; then
                    kind=words words='--names --json --socket-dir --timeout --help --version'
                fi
                ;;
            ' displays')
                if [[ $current == -* ]]; then
                    kind=words words='--names --json --socket-dir --timeout --help --version'
                fi
                ;;
            ' watch')
                if [[ $current == -* ]]; then
                    kind=words words='--kinds --device --for --until --json --socket-dir --timeout --help --version'
                fi
                ;;
            ' capture')
                if [[ $current == -* ]]; then
                    kind=words words='--output --count --for --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=device
                fi
                ;;
            ' profiles')
                if [[ $current == -* ]]; then
                    kind=words words='--names --head-units --json --socket-dir --timeout --help --version'
                fi
                ;;
            ' plug')
                if [[ $current == -* ]]; then
                    kind=words words='--name --serial --displays --locked --untrusted --slow --late --trust-after --misorder --no-carplay --refuse --link-version --identification-first --no-wait --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=profile
                fi
                ;;
            ' unplug')
                if [[ $current == -* ]]; then
                    kind=words words='--surprise --generation --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=device
                fi
                ;;
            ' lock')
                if [[ $current == -* ]]; then
                    kind=words words='--generation --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=device
                fi
                ;;
            ' unlock')
                if [[ $current == -* ]]; then
                    kind=words words='--generation --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=device
                fi
                ;;
            ' trust')
                if [[ $current == -* ]]; then
                    kind=words words='--generation --after --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=device
                fi
                ;;
            ' untrust')
                if [[ $current == -* ]]; then
                    kind=words words='--generation --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=device
                fi
                ;;
            ' refuse')
                if [[ $current == -* ]]; then
                    kind=words words='--generation --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=device
                elif [[ $place == 1 ]]; then
                    kind=words words='authentication identification session certificate signature trust none'
                fi
                ;;
            ' slow')
                if [[ $current == -* ]]; then
                    kind=words words='--generation --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=device
                elif [[ $place == 1 ]]; then
                    kind=none
                fi
                ;;
            ' late')
                if [[ $current == -* ]]; then
                    kind=words words='--generation --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=device
                elif [[ $place == 1 ]]; then
                    kind=words words='certificateRequest challenge authenticationVerdict identificationRequest identificationVerdict information sessionOffer'
                elif [[ $place == 2 ]]; then
                    kind=none
                fi
                ;;
            ' misorder')
                if [[ $current == -* ]]; then
                    kind=words words='--generation --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=device
                elif [[ $place == 1 ]]; then
                    kind=words words='identificationEarly challengeFirst resultFirst acceptanceFirst offerFirst none'
                fi
                ;;
            ' carplay')
                if [[ $current == -* ]]; then
                    kind=words words='--generation --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=device
                elif [[ $place == 1 ]]; then
                    kind=words words='on off'
                fi
                ;;
            ' retry')
                if [[ $current == -* ]]; then
                    kind=words words='--generation --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=device
                fi
                ;;
            ' front')
                if [[ $current == -* ]]; then
                    kind=words words='--json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=device
                fi
                ;;
            ' usb') kind=words words='accessory role-switch' ;;
            ' usb accessory')
                if [[ $current == -* ]]; then
                    kind=words words='--generation --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=device
                fi
                ;;
            ' usb role-switch')
                if [[ $current == -* ]]; then
                    kind=words words='--plain --generation --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=device
                fi
                ;;
            ' knob') kind=words words='rotate press nudge' ;;
            ' knob rotate')
                if [[ $current == -* ]]; then
                    kind=words words='--every --over --device --generation --display --tag --wait --within --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=none
                fi
                ;;
            ' knob press')
                if [[ $current == -* ]]; then
                    kind=words words='--for --device --generation --display --tag --wait --within --json --socket-dir --timeout --help --version'
                fi
                ;;
            ' knob nudge')
                if [[ $current == -* ]]; then
                    kind=words words='--for --device --generation --display --tag --wait --within --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=words words='up down left right up-left up-right down-left down-right'
                fi
                ;;
            ' touch') kind=words words='tap swipe flick path' ;;
            ' touch tap')
                if [[ $current == -* ]]; then
                    kind=words words='--for --points --device --generation --display --tag --wait --within --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=none
                elif [[ $place == 1 ]]; then
                    kind=none
                fi
                ;;
            ' touch swipe')
                if [[ $current == -* ]]; then
                    kind=words words='--velocity --for --points --device --generation --display --tag --wait --within --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=none
                elif [[ $place == 1 ]]; then
                    kind=none
                elif [[ $place == 2 ]]; then
                    kind=none
                elif [[ $place == 3 ]]; then
                    kind=none
                fi
                ;;
            ' touch flick')
                if [[ $current == -* ]]; then
                    kind=words words='--velocity --for --points --device --generation --display --tag --wait --within --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=none
                elif [[ $place == 1 ]]; then
                    kind=none
                elif [[ $place == 2 ]]; then
                    kind=none
                elif [[ $place == 3 ]]; then
                    kind=none
                fi
                ;;
            ' touch path')
                if [[ $current == -* ]]; then
                    kind=words words='--for --points --device --generation --display --tag --wait --within --json --socket-dir --timeout --help --version'
                elif [[ $place -ge 0 ]]; then
                    kind=none
                fi
                ;;
            ' touchpad') kind=words words='tap swipe flick path' ;;
            ' touchpad tap')
                if [[ $current == -* ]]; then
                    kind=words words='--for --device --generation --display --tag --wait --within --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=none
                elif [[ $place == 1 ]]; then
                    kind=none
                fi
                ;;
            ' touchpad swipe')
                if [[ $current == -* ]]; then
                    kind=words words='--velocity --for --device --generation --display --tag --wait --within --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=none
                elif [[ $place == 1 ]]; then
                    kind=none
                elif [[ $place == 2 ]]; then
                    kind=none
                elif [[ $place == 3 ]]; then
                    kind=none
                fi
                ;;
            ' touchpad flick')
                if [[ $current == -* ]]; then
                    kind=words words='--velocity --for --device --generation --display --tag --wait --within --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=none
                elif [[ $place == 1 ]]; then
                    kind=none
                elif [[ $place == 2 ]]; then
                    kind=none
                elif [[ $place == 3 ]]; then
                    kind=none
                fi
                ;;
            ' touchpad path')
                if [[ $current == -* ]]; then
                    kind=words words='--for --device --generation --display --tag --wait --within --json --socket-dir --timeout --help --version'
                elif [[ $place -ge 0 ]]; then
                    kind=none
                fi
                ;;
            ' key')
                if [[ $current == -* ]]; then
                    kind=words words='--for --device --generation --display --tag --wait --within --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=words words='home back voice play pause play-pause next previous call hang-up hook-switch mute up down left right select'
                fi
                ;;
            ' input') kind=words words='record replay create' ;;
            ' input record')
                if [[ $current == -* ]]; then
                    kind=words words='--output --for --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=none
                fi
                ;;
            ' input replay')
                if [[ $current == -* ]]; then
                    kind=words words='--speed --once --loop --dry-run --recorded --description --config --table --device --generation --display --tag --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind='file'
                fi
                ;;
            ' input create')
                if [[ $current == -* ]]; then
                    kind=words words='--name --id --size --resolution --slots --play --recorded --delay --speed --loop --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=words words='knob touchpad touchscreen'
                fi
                ;;
            ' inject')
                if [[ $current == -* ]]; then
                    kind=words words='--device --generation --display --tag --wait --within --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind='file'
                fi
                ;;
            ' inject-key')
                if [[ $current == -* ]]; then
                    kind=words words='--device --generation --display --tag --wait --within --json --socket-dir --timeout --help --version'
                elif [[ $place -ge 0 ]]; then
                    kind=none
                fi
                ;;
            ' inject-rotary')
                if [[ $current == -* ]]; then
                    kind=words words='--device --generation --display --tag --wait --within --json --socket-dir --timeout --help --version'
                elif [[ $place -ge 0 ]]; then
                    kind=none
                fi
                ;;
            ' inject-motion')
                if [[ $current == -* ]]; then
                    kind=words words='--source --device --generation --display --tag --wait --within --json --socket-dir --timeout --help --version'
                elif [[ $place -ge 0 ]]; then
                    kind=none
                fi
                ;;
            ' appearance')
                if [[ $current == -* ]]; then
                    kind=words words='--json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=words words='light dark automatic'
                fi
                ;;
            ' driver-side')
                if [[ $current == -* ]]; then
                    kind=words words='--json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=words words='left right'
                fi
                ;;
            ' limited-ui')
                if [[ $current == -* ]]; then
                    kind=words words='--json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=list words='keyboard lists none all automatic'
                fi
                ;;
            ' vehicle') kind=words words='show set track stop-track' ;;
            ' vehicle show')
                if [[ $current == -* ]]; then
                    kind=words words='--json --socket-dir --timeout --help --version'
                fi
                ;;
            ' vehicle set')
                if [[ $current == -* ]]; then
                    kind=words words='--json --socket-dir --timeout --help --version'
                elif [[ $place -ge 0 ]]; then
                    kind=words words='speed= gear= parking-brake= ambient-light= location= altitude= heading= accuracy= battery= fuel= range= range-low= appearance= driver-side= limited-ui='
                fi
                ;;
            ' vehicle track')
                if [[ $current == -* ]]; then
                    kind=words words='--json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind='file'
                fi
                ;;
            ' vehicle stop-track')
                if [[ $current == -* ]]; then
                    kind=words words='--json --socket-dir --timeout --help --version'
                fi
                ;;
            ' display') kind=words words='set' ;;
            ' display set')
                if [[ $current == -* ]]; then
                    kind=words words='--json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=display
                elif [[ $place -ge 1 ]]; then
                    kind=words words='view-area= safe-area= pixels= scale= frame-rate= appearance= driver-side= limited-ui= primary-input='
                fi
                ;;
            ' fault') kind=words words='list set clear' ;;
            ' fault list')
                if [[ $current == -* ]]; then
                    kind=words words='--device --kinds --json --socket-dir --timeout --help --version'
                fi
                ;;
            ' fault set')
                if [[ $current == -* ]]; then
                    kind=words words='--device --direction --at --from --after --after-bytes --count --always --for --keep --generation --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=words words='drop corrupt-header corrupt-payload corrupt-length duplicate reorder delay split join stall stale reset unplug'
                fi
                ;;
            ' fault clear')
                if [[ $current == -* ]]; then
                    kind=words words='--device --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=none
                fi
                ;;
            ' run')
                if [[ $current == -* ]]; then
                    kind=words words='--name --dhu --print --check --full --wait --junit --artifacts --set --seed --row --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind='file'
                fi
                ;;
            ' scenario') kind=words words='check format explain' ;;
            ' scenario check')
                if [[ $current == -* ]]; then
                    kind=words words='--set --seed --row --json --socket-dir --timeout --help --version'
                elif [[ $place -ge 0 ]]; then
                    kind='file'
                fi
                ;;
            ' scenario format')
                if [[ $current == -* ]]; then
                    kind=words words='--check --print --json --socket-dir --timeout --help --version'
                elif [[ $place -ge 0 ]]; then
                    kind='file'
                fi
                ;;
            ' scenario explain')
                if [[ $current == -* ]]; then
                    kind=words words='--set --seed --row --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind='file'
                fi
                ;;
            ' simulate')
                if [[ $current == -* ]]; then
                    kind=words words='--runs --seed --late --config --name --dhu --full --junit --artifacts --set --row --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind='file'
                fi
                ;;
            ' cycle')
                if [[ $current == -* ]]; then
                    kind=words words='--count --unplug-at --interval --hold --within --slow --seed --name --wait --csv --resume --on --off --labgrid --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=profile
                fi
                ;;
            ' unlease')
                if [[ $current == -* ]]; then
                    kind=words words='--force --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=none
                fi
                ;;
            ' send')
                if [[ $current == -* ]]; then
                    kind=words words='--from --generation --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=device
                elif [[ $place == 1 ]]; then
                    kind=none
                elif [[ $place -ge 2 ]]; then
                    kind=none
                fi
                ;;
            ' messages')
                if [[ $current == -* ]]; then
                    kind=words words='--json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=none
                fi
                ;;
            ' mark')
                if [[ $current == -* ]]; then
                    kind=words words='--json --socket-dir --timeout --help --version'
                elif [[ $place -ge 0 ]]; then
                    kind=none
                fi
                ;;
            ' launch')
                if [[ $current == -* ]]; then
                    kind=words words='--device --bundle --for --no-acknowledge --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=none
                fi
                ;;
            ' decode') kind=words words='link control hid' ;;
            ' decode link')
                if [[ $current == -* ]]; then
                    kind=words words='--full --json --socket-dir --timeout --help --version'
                elif [[ $place -ge 0 ]]; then
                    kind=none
                fi
                ;;
            ' decode control')
                if [[ $current == -* ]]; then
                    kind=words words='--full --json --socket-dir --timeout --help --version'
                elif [[ $place -ge 0 ]]; then
                    kind=none
                fi
                ;;
            ' decode hid')
                if [[ $current == -* ]]; then
                    kind=words words='--full --descriptor --json --socket-dir --timeout --help --version'
                elif [[ $place -ge 0 ]]; then
                    kind=none
                fi
                ;;
            ' doctor')
                if [[ $current == -* ]]; then
                    kind=words words='--problems --json --socket-dir --timeout --help --version'
                fi
                ;;
            ' completion')
                if [[ $current == -* ]]; then
                    kind=words words='--json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=words words='bash'
                fi
                ;;
            ' version')
                if [[ $current == -* ]]; then
                    kind=words words='--json --socket-dir --timeout --help --version'
                fi
                ;;
            ' help')
                if [[ $current == -* ]]; then
                    kind=words words='--json --socket-dir --timeout --help --version'
                elif [[ $place -ge 0 ]]; then
                    kind=none
                fi
                ;;
        esac
    fi
    case $kind in
        words | list) ;;
        device) words=$(_dashrig_names devices) ;;
        devices) words=$(_dashrig_names devices); kind=list ;;
        display) words=$(_dashrig_names displays) ;;
        profile) words=$(_dashrig_names profiles) ;;
        headUnit) words=$(_dashrig_names profiles --head-units) ;;
        file) compopt -o filenames; COMPREPLY=($(compgen -f -- "$current")); return ;;
        folder) compopt -o filenames; COMPREPLY=($(compgen -d -- "$current")); return ;;
        *) return ;;
    esac
    # Of a list only its last part is completed.
    if [[ $kind == list && $current == *,* ]]; then before=${current%,*},; fi
    COMPREPLY=($(compgen -P "$before" -W "$words" -- "${current#"$before"}"))
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
    return 0
}

complete -F _dashrig dashrig
