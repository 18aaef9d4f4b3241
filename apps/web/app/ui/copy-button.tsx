import { useEffect, useState } from 'react'

/** Copies text to the clipboard. Not rendered without JavaScript or clipboard support. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [supported, setAble] = useState(false)
  const [copied, setCopied] = useState(false)
  useEffect(() => setAble('clipboard' in navigator), [])
  if (!supported) return null
  return (
    <button
      type="button"
      className="rounded-control border border-line-strong bg-card px-2 py-0.5 text-sm hover:border-accent"
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      {copied ? 'Copied' : label}
      <span role="status" className="sr-only">
        {copied ? 'Copied to clipboard' : ''}
      </span>
    </button>
  )
}
