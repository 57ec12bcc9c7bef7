/// Completion for bash. Words come from the table; names of devices, profiles and displays are asked of the rig.
enum BashCompletion {
    static func script() -> String {
        var lines = head
        lines += [
            "        case $word in", "            \(valueOptions.joined(separator: " | "))) skip=1; continue ;;",
            "            --*) continue ;;", "        esac", "        case \"$path $word\" in",
            "            \(paths.joined(separator: " | "))) path=\"$path $word\" ;;",
            "            *) place=$((place + 1)) ;;", "        esac", "    done",
            "    case \"$path $previous\" in",
        ]
        lines += optionArms()
        lines += ["    esac", "    if [[ -z $kind ]]; then", "        case $path in"]
        let first = CommandTable.commands.map(\.name) + CommandTable.globalOptions.map(\.name)
        lines.append("            '') \(words(first)) ;;")
        for entry in CommandTable.entries { lines += commandArm(entry) }
        lines += ["        esac", "    fi"] + tail
        return lines.joined(separator: "\n") + "\n"
    }

    private static let head = [
        "# bash completion for dashrig; printed by: dashrig completion bash", "# shellcheck shell=bash disable=SC2207",
        "",
        "# What a rig has, one name a line; nothing when none answers at once.",
        "_dashrig_names() {",
        "    local folder=() i",
        "    for ((i = 1; i < COMP_CWORD; i++)); do",
        "        [[ ${COMP_WORDS[i]} == --socket-dir ]] && folder=(--socket-dir \"${COMP_WORDS[i + 1]}\")",
        "    done",
        "    \"${COMP_WORDS[0]}\" \"$@\" --names --timeout 500ms \"${folder[@]}\" 2>/dev/null",
        "}",
        "",
        "_dashrig() {",
        "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}",
        "    local path='' place=0 skip=0 word i words='' kind='' before=''",
        "    COMPREPLY=()",
        "    # bash makes a word of its own of an equals sign.",
        "    if [[ $current == '=' ]]; then",
        "        current=''",
        "    elif [[ $previous == '=' ]]; then",
        "        previous=${COMP_WORDS[COMP_CWORD - 2]}",
        "        [[ $previous == --* ]] || return",
        "    fi",
        "    for ((i = 1; i < COMP_CWORD; i++)); do",
        "        word=${COMP_WORDS[i]}",
        "        if [[ $word == '=' ]]; then skip=1; continue; fi",
        "        if ((skip)); then skip=0; continue; fi",
    ]

    private static let tail = [
        "    case $kind in",
        "        words | list) ;;",
        "        device) words=$(_dashrig_names devices) ;;",
        "        devices) words=$(_dashrig_names devices); kind=list ;;",
        "        display) words=$(_dashrig_names displays) ;;",
        "        profile) words=$(_dashrig_names profiles) ;;",
        "        headUnit) words=$(_dashrig_names profiles --head-units) ;;",
        "        file) compopt -o filenames; COMPREPLY=($(compgen -f -- \"$current\")); return ;;",
        "        folder) compopt -o filenames; COMPREPLY=($(compgen -d -- \"$current\")); return ;;",
        "        *) return ;;",
        "    esac",
        "    # Of a list only its last part is completed.",
        "    if [[ $kind == list && $current == *,* ]]; then before=${current%,*},; fi",
        "    COMPREPLY=($(compgen -P \"$before\" -W \"$words\" -- \"${current#\"$before\"}\"))",
        "    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace",
        "    return 0",
        "}",
        "",
        "complete -F _dashrig dashrig",
    ]

    /// Options whose value is the next word.
    private static var valueOptions: [String] {
        var names: [String] = []
        let all = CommandTable.globalOptions + CommandTable.entries.flatMap(\.command.options)
        for option in all where option.value != nil && !names.contains(option.name) { names.append(option.name) }
        return names
    }

    /// Every way into the table, as a pattern.
    private static var paths: [String] { CommandTable.entries.map { "' \($0.path.joined(separator: " "))'" } }

    /// What follows an option: one arm for an option that takes the same everywhere, else one for each command, and one
    /// for all those of which nothing is known.
    private static func optionArms() -> [String] {
        var uses: [(name: String, path: [String], completion: String)] = CommandTable.globalOptions.compactMap {
            option in
            option.value.map { (option.name, [], completion($0)) }
        }
        for entry in CommandTable.entries {
            for option in entry.command.options {
                if let value = option.value { uses.append((option.name, entry.path, completion(value))) }
            }
        }
        var arms: [String] = []
        var rest: [String] = []
        for name in valueOptions {
            let own = uses.filter { $0.name == name }
            if own.allSatisfy({ $0.completion == own[0].completion && $0.completion != nothing }) {
                arms.append("        *' \(name)') \(own[0].completion) ;;")
                continue
            }
            rest.append("*' \(name)'")
            for use in own where use.completion != nothing {
                arms.append("        ' \(use.path.joined(separator: " ")) \(name)') \(use.completion) ;;")
            }
        }
        return arms + ["        \(rest.joined(separator: " | "))) \(nothing) ;;"]
    }

    private static let nothing = "kind=none"

    private static func completion(_ value: ValueSyntax) -> String {
        switch value {
        case .name(let source): "kind=\(source.rawValue)"
        case .names(let source): "kind=\(source.rawValue)s"
        case .file: "kind='file'"
        case .folder: "kind=folder"
        case .word, .assignment, .timedWord: words(value.words)
        case .words, .openWords: "kind=list words='\(value.words.joined(separator: " "))'"
        case .text, .integer, .hundredths, .pathPart, .duration: nothing
        }
    }

    private static func words(_ words: [String]) -> String { "kind=words words='\(words.joined(separator: " "))'" }

    /// A command: its options, or what stands at the place.
    private static func commandArm(_ entry: CommandTable.Entry) -> [String] {
        let command = entry.command
        let pattern = "' \(entry.path.joined(separator: " "))'"
        if !command.subcommands.isEmpty {
            return ["            \(pattern)) \(words(command.subcommands.map(\.name))) ;;"]
        }
        let options = (command.options + CommandTable.globalOptions).map(\.name)
        var lines = [
            "            \(pattern))", "                if [[ $current == -* ]]; then",
            "                    \(words(options))",
        ]
        for (index, operand) in command.operands.enumerated() {
            let test =
                switch operand.count {
                case .one, .optional: "$place == \(index)"
                case .oneOrMore, .any: "$place -ge \(index)"
                }
            lines.append("                elif [[ \(test) ]]; then")
            lines.append("                    \(completion(operand.value))")
        }
        return lines + ["                fi", "                ;;"]
    }
}
