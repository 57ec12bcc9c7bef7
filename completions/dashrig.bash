# bash completion for dashrig; printed by: dashrig completion bash

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
    local path='' place=0 skip=0 word i words='' kind=''
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((skip)); then skip=0; continue; fi
        case $word in
            --socket-dir | --timeout | --kinds | --device | --for | --until | --name | --serial | --displays | --slow | --refuse | --generation | --every | --display | --tag | --wait | --within | --junit | --bundle) skip=1; continue ;;
            --*) continue ;;
        esac
        case "$path $word" in
            ' status' | ' devices' | ' sessions' | ' displays' | ' watch' | ' profiles' | ' plug' | ' unplug' | ' lock' | ' unlock' | ' trust' | ' untrust' | ' refuse' | ' slow' | ' front' | ' knob' | ' knob rotate' | ' knob press' | ' knob nudge' | ' touch' | ' touch tap' | ' touch swipe' | ' touch path' | ' touchpad' | ' touchpad tap' | ' touchpad swipe' | ' touchpad path' | ' key' | ' appearance' | ' driver-side' | ' limited-ui' | ' display' | ' display set' | ' run' | ' mark' | ' launch' | ' doctor' | ' completion' | ' version' | ' help') path="$path $word" ;;
            *) place=$((place + 1)) ;;
        esac
    done
    case "$path $previous" in
        *' --socket-dir') kind=folder ;;
        *' --timeout') kind=none ;;
        ' watch --kinds') kind=none ;;
        ' watch --device') kind=none ;;
        ' watch --for') kind=none ;;
        ' watch --until') kind=none ;;
        ' plug --name') kind=none ;;
        ' plug --serial') kind=none ;;
        ' plug --displays') kind=headUnit ;;
        ' plug --slow') kind=none ;;
        ' plug --refuse') kind=words words='authentication identification session' ;;
        ' unplug --generation') kind=none ;;
        ' lock --generation') kind=none ;;
        ' unlock --generation') kind=none ;;
        ' trust --generation') kind=none ;;
        ' untrust --generation') kind=none ;;
        ' refuse --generation') kind=none ;;
        ' slow --generation') kind=none ;;
        ' knob rotate --every') kind=none ;;
        ' knob rotate --device') kind=device ;;
        ' knob rotate --generation') kind=none ;;
        ' knob rotate --display') kind=display ;;
        ' knob rotate --tag') kind=none ;;
        ' knob rotate --wait') kind=words words='accepted delivered read' ;;
        ' knob rotate --within') kind=none ;;
        ' knob press --for') kind=none ;;
        ' knob press --device') kind=device ;;
        ' knob press --generation') kind=none ;;
        ' knob press --display') kind=display ;;
        ' knob press --tag') kind=none ;;
        ' knob press --wait') kind=words words='accepted delivered read' ;;
        ' knob press --within') kind=none ;;
        ' knob nudge --for') kind=none ;;
        ' knob nudge --device') kind=device ;;
        ' knob nudge --generation') kind=none ;;
        ' knob nudge --display') kind=display ;;
        ' knob nudge --tag') kind=none ;;
        ' knob nudge --wait') kind=words words='accepted delivered read' ;;
        ' knob nudge --within') kind=none ;;
        ' touch tap --for') kind=none ;;
        ' touch tap --device') kind=device ;;
        ' touch tap --generation') kind=none ;;
        ' touch tap --display') kind=display ;;
        ' touch tap --tag') kind=none ;;
        ' touch tap --wait') kind=words words='accepted delivered read' ;;
        ' touch tap --within') kind=none ;;
        ' touch swipe --for') kind=none ;;
        ' touch swipe --device') kind=device ;;
        ' touch swipe --generation') kind=none ;;
        ' touch swipe --display') kind=display ;;
        ' touch swipe --tag') kind=none ;;
        ' touch swipe --wait') kind=words words='accepted delivered read' ;;
        ' touch swipe --within') kind=none ;;
        ' touch path --for') kind=none ;;
        ' touch path --device') kind=device ;;
        ' touch path --generation') kind=none ;;
        ' touch path --display') kind=display ;;
        ' touch path --tag') kind=none ;;
        ' touch path --wait') kind=words words='accepted delivered read' ;;
        ' touch path --within') kind=none ;;
        ' touchpad tap --for') kind=none ;;
        ' touchpad tap --device') kind=device ;;
        ' touchpad tap --generation') kind=none ;;
        ' touchpad tap --display') kind=display ;;
        ' touchpad tap --tag') kind=none ;;
        ' touchpad tap --wait') kind=words words='accepted delivered read' ;;
        ' touchpad tap --within') kind=none ;;
        ' touchpad swipe --for') kind=none ;;
        ' touchpad swipe --device') kind=device ;;
        ' touchpad swipe --generation') kind=none ;;
        ' touchpad swipe --display') kind=display ;;
        ' touchpad swipe --tag') kind=none ;;
        ' touchpad swipe --wait') kind=words words='accepted delivered read' ;;
        ' touchpad swipe --within') kind=none ;;
        ' touchpad path --for') kind=none ;;
        ' touchpad path --device') kind=device ;;
        ' touchpad path --generation') kind=none ;;
        ' touchpad path --display') kind=display ;;
        ' touchpad path --tag') kind=none ;;
        ' touchpad path --wait') kind=words words='accepted delivered read' ;;
        ' touchpad path --within') kind=none ;;
        ' key --for') kind=none ;;
        ' key --device') kind=device ;;
        ' key --generation') kind=none ;;
        ' key --display') kind=display ;;
        ' key --tag') kind=none ;;
        ' key --wait') kind=words words='accepted delivered read' ;;
        ' key --within') kind=none ;;
        ' run --junit') kind=file ;;
        ' run --name') kind=none ;;
        ' launch --device') kind=device ;;
        ' launch --bundle') kind=none ;;
        ' launch --for') kind=none ;;
    esac
    if [[ -z $kind ]]; then
        case "$path" in
            '') kind=words words='status devices sessions displays watch profiles plug unplug lock unlock trust untrust refuse slow front knob touch touchpad key appearance driver-side limited-ui display run mark launch doctor completion version help --json --socket-dir --timeout --help --version' ;;
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
            ' profiles')
                if [[ $current == -* ]]; then
                    kind=words words='--names --head-units --json --socket-dir --timeout --help --version'
                fi
                ;;
            ' plug')
                if [[ $current == -* ]]; then
                    kind=words words='--name --serial --displays --locked --untrusted --slow --refuse --identification-first --no-wait --json --socket-dir --timeout --help --version'
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
                    kind=words words='--generation --json --socket-dir --timeout --help --version'
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
                    kind=words words='authentication identification session none'
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
            ' front')
                if [[ $current == -* ]]; then
                    kind=words words='--json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=device
                fi
                ;;
            ' knob') kind=words words='rotate press nudge' ;;
            ' knob rotate')
                if [[ $current == -* ]]; then
                    kind=words words='--every --device --generation --display --tag --wait --within --json --socket-dir --timeout --help --version'
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
            ' touch') kind=words words='tap swipe path' ;;
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
                    kind=words words='--for --points --device --generation --display --tag --wait --within --json --socket-dir --timeout --help --version'
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
            ' touchpad') kind=words words='tap swipe path' ;;
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
                    kind=words words='--for --device --generation --display --tag --wait --within --json --socket-dir --timeout --help --version'
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
            ' appearance')
                if [[ $current == -* ]]; then
                    kind=words words='--json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=words words='light dark'
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
                    kind=words words='keyboard lists none all'
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
            ' run')
                if [[ $current == -* ]]; then
                    kind=words words='--junit --name --check --full --json --socket-dir --timeout --help --version'
                elif [[ $place == 0 ]]; then
                    kind=file
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
        words) ;;
        device) words+=" $(_dashrig_names devices)" ;;
        display) words+=" $(_dashrig_names displays)" ;;
        profile) words+=" $(_dashrig_names profiles)" ;;
        headUnit) words+=" $(_dashrig_names profiles --head-units)" ;;
        file) compopt -o filenames; COMPREPLY=($(compgen -f -- "$current")); return ;;
        folder) compopt -o filenames; COMPREPLY=($(compgen -d -- "$current")); return ;;
        *) return ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
}

complete -F _dashrig dashrig
