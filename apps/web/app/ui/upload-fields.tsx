import { MAX_FILE_MB } from '@brickmark/core/portfolio/lot-import/format'

/** Inputs for an import: a dropped or selected file, or pasted text. */
export function UploadFields({ label, accept }: { label: string; accept: string }) {
  return (
    <>
      <div className="grid gap-1">
        <label htmlFor="file" className="font-medium">
          {label}
        </label>
        <input
          id="file"
          name="file"
          type="file"
          accept={accept}
          aria-describedby="file-hint"
          className="w-full rounded-card border-2 border-dashed border-line-strong bg-sunken px-4 py-8 file:mr-3 file:rounded-control file:border file:border-line-strong file:bg-card file:px-3 file:py-1.5 file:text-ink hover:border-accent"
        />
        <p id="file-hint" className="text-sm text-ink-soft">
          Up to {MAX_FILE_MB} MB.
        </p>
      </div>
      <div className="grid gap-1">
        <label htmlFor="text" className="font-medium">
          Or paste the contents
        </label>
        <textarea
          id="text"
          name="text"
          rows={6}
          className="w-full rounded-control border border-line-strong bg-card px-3 py-2 font-mono text-sm text-ink"
        />
      </div>
    </>
  )
}
