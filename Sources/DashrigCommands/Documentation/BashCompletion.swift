/// Completion for bash. Words come from the table; names of devices, profiles and displays are asked of the rig.
enum BashCompletion {
    static func script() -> String {
        var lines = [
            "# bash completion for dashrig; printed by: dashrig completion bash",
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
            "    local path='' place=0 skip=0 word i words='' kind=''",
            "    COMPREPLY=()",
            "    for ((i = 1; i < COMP_CWORD; i++)); do",
            "        word=${COMP_WORDS[i]}",
            "        if ((skip)); then skip=0; continue; fi",
            "        case $word in",
            "            \(valueOptions().joined(separator: " | "))) skip=1; continue ;;",
            "            --*) continue ;;",
            "        esac",
            "        case \"$path $word\" in",
        ]
        lines.append("            \(paths().joined(separator: " | "))) path=\"$path $word\" ;;")
        lines += [
            "            *) place=$((place + 1)) ;;", "        esac", "    done", "    case \"$path $previous\" in",
        ]
        for (pattern, value) in optionValues() { lines.append("        \(pattern)) \(completion(value)) ;;") }
        lines += [
            "    esac",
            "    if [[ -z $kind ]]; then",
            "        case \"$path\" in",
        ]
        lines.append(
            "            '') \(words(CommandTable.commands.map(\.name) + CommandTable.globalOptions.map(\.name))) ;;")
        for entry in CommandTable.entries { lines += arm(entry) }
        lines += [
            "        esac",
            "    fi",
            "    case $kind in",
            "        words) ;;",
            "        device) words+=\" $(_dashrig_names devices)\" ;;",
            "        display) words+=\" $(_dashrig_names displays)\" ;;",
            "        profile) words+=\" $(_dashrig_names profiles)\" ;;",
            "        headUnit) words+=\" $(_dashrig_names profiles --head-units)\" ;;",
            "        file) compopt -o filenames; COMPREPLY=($(compgen -f -- \"$current\")); return ;;",
            "        folder) compopt -o filenames; COMPREPLY=($(compgen -d -- \"$current\")); return ;;",
            "        *) return ;;",
            "    esac",
            "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))",
            "    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace",
            "}",
            "",
            "complete -F _dashrig dashrig",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// Options whose value is the next word.
    private static func valueOptions() -> [String] {
        var names: [String] = []
        let all = CommandTable.globalOptions + CommandTable.entries.flatMap(\.command.options)
        for option in all where option.value != nil && !names.contains(option.name) { names.append(option.name) }
        return names
    }

    /// Every way into the table, as a pattern.
    private static func paths() -> [String] {
        CommandTable.entries.map { "' \($0.path.joined(separator: " "))'" }
    }

    /// What follows an option of a command.
    private static func optionValues() -> [(pattern: String, value: ValueSyntax)] {
        var values = CommandTable.globalOptions.compactMap { option in
            option.value.map { (pattern: "*' \(option.name)'", value: $0) }
        }
        for entry in CommandTable.entries {
            for option in entry.command.options {
                guard let value = option.value else { continue }
                values.append((pattern: "' \(entry.path.joined(separator: " ")) \(option.name)'", value: value))
            }
        }
        return values
    }

    private static func completion(_ value: ValueSyntax) -> String {
        switch value {
        case .name(let source): "kind=\(source.rawValue)"
        case .file: "kind=file"
        case .folder: "kind=folder"
        case .word, .words, .assignment: words(value.words)
        case .text, .list, .integer, .hundredths, .pathPart, .duration: "kind=none"
        }
    }

    private static func words(_ words: [String]) -> String { "kind=words words='\(words.joined(separator: " "))'" }

    /// A command: its options, or what stands at the place.
    private static func arm(_ entry: CommandTable.Entry) -> [String] {
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
