import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { CommandResult, Podman } from './podman.ts'

type ComposeService = {
  image: string
  command?: string[]
  environment: Record<string, string>
  read_only?: boolean
  tmpfs?: string[]
  cap_drop?: string[]
  security_opt?: string[]
  mem_limit?: string
}

/**
 * The services of compose.yaml, run by podman one by one: there is no compose here. What is not theirs is the network, so
 * the address of the database and the ports that are listened on are replaced.
 */
export class Compose {
  readonly #podman: Podman
  readonly #services: Record<string, ComposeService>

  private constructor(podman: Podman, services: Record<string, ComposeService>) {
    this.#podman = podman
    this.#services = services
  }

  static async read(
    podman: Podman,
    deploy: string,
    secrets: Record<string, string>,
    databasePort: number,
  ): Promise<Compose> {
    const text = (await readFile(join(deploy, 'compose.yaml'), 'utf8'))
      .replaceAll(/\$\{(\w+):\?[^}]*\}/g, (_, name: string) => secrets[name]!)
      .replaceAll(/\$\{\w+:-([^}]*)\}/g, (_, usual: string) => usual)
      .replaceAll('@postgres:5432/', `@127.0.0.1:${databasePort}/`)
    const { services } = parse(text, { merge: true }) as { services: Record<string, ComposeService> }
    return new Compose(podman, services)
  }

  /** One that runs to its end. */
  run(name: string, env: Record<string, string> = {}): Promise<CommandResult> {
    return this.#podman.tryRun(['run', '--rm', ...this.#options(name, env)], 300)
  }

  /** One that keeps running, in a container of its name. */
  async start(name: string, env: Record<string, string> = {}): Promise<void> {
    await this.#podman.run(['run', '--detach', '--replace', '--name', name, ...this.#options(name, env)])
  }

  #options(name: string, env: Record<string, string>): string[] {
    const service = this.#services[name]!
    const variables = Object.entries({ ...service.environment, ...env }).map(([key, value]) => `--env=${key}=${value}`)
    return [
      `--read-only=${service.read_only ?? false}`,
      // Otherwise podman adds places to write to that others do not have.
      ...(service.read_only ? ['--read-only-tmpfs=false'] : []),
      ...(service.tmpfs ?? []).map((folder) => `--tmpfs=${folder}`),
      ...(service.cap_drop ?? []).map((capability) => `--cap-drop=${capability}`),
      ...(service.security_opt ?? []).map((option) => `--security-opt=${option.replace(':true', '')}`),
      ...(service.mem_limit === undefined ? [] : [`--memory=${service.mem_limit}`]),
      ...variables,
      `localhost/${service.image}`,
      ...(service.command ?? []),
    ]
  }
}
