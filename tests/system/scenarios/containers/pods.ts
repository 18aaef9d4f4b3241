import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAllDocuments, stringify } from 'yaml'
import type { Podman } from './podman.ts'

type Container = { image: string; env?: { name: string; value: string }[] } & Record<string, unknown>
type Manifest = {
  kind: string
  metadata: { name: string }
  spec: { template: { spec: { containers: Container[]; hostNetwork?: boolean } & Record<string, unknown> } }
}

/**
 * Runs the pod of a manifest, changing only the image location, the network (the host's, and therefore the ports), the
 * probes (podman would use curl, which isn't in the image) and the delay before the stop. Returns the container's name.
 */
export async function playPod(
  podman: Podman,
  deploy: string,
  name: string,
  { variables, listen }: { variables: Record<string, string>; listen: Record<string, string> },
): Promise<string> {
  const manifests = parseAllDocuments(await readFile(join(deploy, 'kubernetes', `${name}.yaml`), 'utf8'))
  const { spec } = manifests
    .map((document) => document.toJS() as Manifest)
    .find(({ kind }) => ['Deployment', 'Job'].includes(kind))!
  const pod = spec.template.spec
  const containers = pod.containers.map(
    ({ ports: _p, readinessProbe: _r, livenessProbe: _l, lifecycle: _c, ...container }) => {
      const env = (container.env ?? []).filter((variable) => listen[variable.name] === undefined)
      return {
        ...container,
        image: `localhost/${container.image}:latest`,
        env: [...env, ...Object.entries(listen).map(([key, value]) => ({ name: key, value }))],
        envFrom: [{ configMapRef: { name: 'everything' } }],
      }
    },
  )
  const documents = [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'everything' }, data: variables },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `${name}-pod` },
      spec: { ...pod, hostNetwork: true, containers },
    },
  ]
  const file = join(podman.folder, `${name}.yaml`)
  await writeFile(file, documents.map((document) => stringify(document)).join('---\n'))
  await podman.run(['play', 'kube', file], 120)
  return `${name}-pod-${name}`
}
