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
 * Runs the services of compose.yaml one by one with podman, because Compose isn't available here. Only the network
 * differs: the database address and the listening ports are replaced.
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
      .replaceAll(/\$\{\w+:-([^}]*)\}/g, (_, fallback: string) => fallback)
      .replaceAll('@postgres:5432/', `@127.0.0.1:${databasePort}/`)
    const { services } = parse(text, { merge: true }) as { services: Record<string, ComposeService> }
    return new Compose(podman, services)
  }

  /** Runs a service to completion. */
  run(name: string, env: Record<string, string> = {}): Promise<CommandResult> {
    return this.#podman.tryRun(['run', '--rm', ...this.#options(name, env)], 300)
  }

  /** Starts a long-running service in a container of the same name. */
  async start(name: string, env: Record<string, string> = {}): Promise<void> {
    await this.#podman.run(['run', '--detach', '--replace', '--name', name, ...this.#options(name, env)])
  }

  #options(name: string, env: Record<string, string>): string[] {
    const service = this.#services[name]!
    const variables = Object.entries({ ...service.environment, ...env }).map(([key, value]) => `--env=${key}=${value}`)
    return [
      `--read-only=${service.read_only ?? false}`,
      // By default, podman adds writable tmpfs mounts that other runtimes don't have.
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
