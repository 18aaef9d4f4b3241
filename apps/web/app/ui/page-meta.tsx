import { use } from 'react'
import { NonceContext } from './nonce.ts'
import { useRootData } from './root-data.ts'

/**
 * What search engines and link previews show of a page. `path` is its canonical address, `image` that of a picture of
 * 1200 × 630 pixels, and `product` describes the item in the terms of schema.org.
 */
export function PageMeta({
  title,
  description,
  path,
  image,
  product,
}: {
  title: string
  description?: string
  path: string
  image?: string
  product?: Record<string, unknown>
}) {
  const nonce = use(NonceContext)
  const root = useRootData()
  const origin = root?.publicUrl ?? ''
  return (
    <>
      <title>{`${title} · Brickmark`}</title>
      {root?.isPublic !== true && <meta name="robots" content="noindex" />}
      {description !== undefined && <meta name="description" content={description} />}
      <link rel="canonical" href={origin + path} />
      <meta property="og:site_name" content="Brickmark" />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      {description !== undefined && <meta property="og:description" content={description} />}
      <meta property="og:url" content={origin + path} />
      {image !== undefined && (
        <>
          <meta property="og:image" content={origin + image} />
          <meta property="og:image:width" content="1200" />
          <meta property="og:image:height" content="630" />
          <meta name="twitter:card" content="summary_large_image" />
        </>
      )}
      {product !== undefined && (
        <script
          type="application/ld+json"
          nonce={nonce}
          suppressHydrationWarning
          // oxlint-disable-next-line react/no-danger -- JSON with every < escaped
          dangerouslySetInnerHTML={{
            __html: JSON.stringify({ '@context': 'https://schema.org', ...product }).replaceAll('<', '\\u003c'),
          }}
        />
      )}
    </>
  )
}
