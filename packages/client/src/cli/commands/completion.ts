import { Argument, type Command } from 'commander'
import { examples, type CliContext } from '../context.ts'

export function addCompletion(program: Command, { terminal }: CliContext): void {
  program
    .command('completion')
    .description('generate a shell completion script')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      examples(
        'source <(brickmark completion bash)     in ~/.bashrc',
        'source <(brickmark completion zsh)      in ~/.zshrc, after compinit',
        'brickmark completion fish | source      in ~/.config/fish/config.fish',
      ),
    )
    .action((shell: 'bash' | 'zsh' | 'fish') => terminal.out(shell === 'fish' ? fish(program) : bash(program, shell)))
}

function bash(program: Command, shell: 'bash' | 'zsh'): string {
  const cases = program.commands.map((command) => `      ${command.name()}) words='${optionsOf(command).join(' ')}' ;;`)
  return `${shell === 'zsh' ? 'autoload -Uz bashcompinit && bashcompinit\n' : ''}_brickmark() {
  local words='${program.commands.map((command) => command.name()).join(' ')}'
  if [ "$COMP_CWORD" -gt 1 ]; then
    words=''
    case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    esac
    case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
${valueCases(program).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _brickmark brickmark`
}

function fish(program: Command): string {
  return program.commands
    .flatMap((command) => [
      `complete -c brickmark -n __fish_use_subcommand -a ${command.name()} -d ${quoted(command.description())}`,
      ...command.options.map(
        (option) =>
          `complete -c brickmark -n '__fish_seen_subcommand_from ${command.name()}' -l ${option.long!.slice(2)}${option.argChoices === undefined ? '' : ` -xa ${quoted(option.argChoices.join(' '))}`} -d ${quoted(option.description)}`,
      ),
    ])
    .join('\n')
}

/** Completes the values of options and arguments that have a list of them. */
function valueCases(program: Command): string[] {
  return program.commands.flatMap((command) => [
    ...command.options
      .filter(({ argChoices }) => argChoices !== undefined)
      .map(({ long, argChoices }) => `      '${command.name()} ${long}') words='${argChoices!.join(' ')}' ;;`),
    ...command.registeredArguments
      .filter(({ argChoices }) => argChoices !== undefined)
      .map(({ argChoices }) => `      '${command.name()} ${command.name()}') words='${argChoices!.join(' ')}' ;;`),
  ])
}

function optionsOf(command: Command): string[] {
  return [...command.options.map((option) => option.long!), '--help']
}

/** Quotes text for fish, which escapes a quote with a backslash. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "\\'")}'`
}
