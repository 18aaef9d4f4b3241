import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Asset } from './asset.ts'

/** Renders the API playground: Scalar below a bar that leads back to the docs. */
export function referenceHtml(options: { webUrl: string | undefined; css: string; start: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API playground · Brickmark docs</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${options.css}">
</head>
<body class="reference">
<header class="bar">
<a class="brand" href="/docs/"><img src="/favicon.svg" width="22" height="22" alt=""><span>Brickmark <b>docs</b></span></a>
<p class="links"><a href="/docs/endpoints">Endpoints</a>${options.webUrl === undefined ? '' : ` <a href="${encodeURI(options.webUrl)}">Account</a>`}</p>
</header>
<noscript><p>The API playground needs JavaScript. The <a href="/docs/endpoints">pages of the endpoints</a> don't.</p></noscript>
<div id="reference"></div>
<script src="/docs/reference/scalar.js"></script>
<script src="${options.start}"></script>
</body>
</html>
`
}

let script: Promise<Asset> | undefined

/** Scalar's script: 4.3 MB, and 1.3 MB compressed, read on first request. */
export function referenceScript(): Promise<Asset> {
  return (script ??= readScript())
}

async function readScript(): Promise<Asset> {
  const worker = new Worker(new URL('scalar-worker.ts', import.meta.url))
  const [asset] = (await once(worker, 'message')) as [Asset]
  return asset
}
