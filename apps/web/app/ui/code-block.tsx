import { CopyButton } from './copy-button.tsx'

/** Scrollable code block that is keyboard-accessible and has a copy button. */
export function CodeBlock({ label, text }: { label: string; text: string }) {
  return (
    <div className="min-w-0">
      <div className="mb-1 flex items-center justify-between gap-2">
        <p className="text-sm font-medium">{label}</p>
        <CopyButton text={text} />
      </div>
      <pre
        role="region"
        aria-label={label}
        tabIndex={0}
        className="overflow-x-auto rounded-control border border-line bg-sunken px-3 py-2 text-sm"
      >
        {text}
      </pre>
    </div>
  )
}
