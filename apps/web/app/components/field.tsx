import { useId, type ComponentProps, type ReactNode } from 'react'

const CONTROL =
  'w-full rounded-control border border-line-strong bg-card px-3 py-2 text-ink placeholder:text-ink-soft aria-invalid:border-loss'

type Shared = { label: string; hint?: ReactNode; error?: string | undefined }

/** Label, control, hint and error, tied together for those who hear the page. */
function Labelled({
  label,
  hint,
  error,
  children,
}: Shared & { children: (tie: { id: string; 'aria-describedby'?: string; 'aria-invalid': boolean }) => ReactNode }) {
  const id = useId()
  const notes = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ')
  const tie = { id, 'aria-invalid': error !== undefined, ...(notes !== '' && { 'aria-describedby': notes }) }
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children(tie)}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-ink-soft">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="text-sm text-loss">
          {error}
        </p>
      )}
    </div>
  )
}

/** One line of text, a number, a date, a password. */
export function Field({ label, hint, error, ...input }: Shared & ComponentProps<'input'>) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(tie) => <input className={CONTROL} {...tie} {...input} />}
    </Labelled>
  )
}

/** One of a few. */
export function Choice({
  label,
  hint,
  error,
  options,
  ...select
}: Shared & { options: [value: string, label: string][] } & ComponentProps<'select'>) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(tie) => (
        <select className={CONTROL} {...tie} {...select}>
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  )
}
