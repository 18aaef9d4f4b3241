import { useId, type ComponentProps, type ReactNode } from 'react'

const CONTROL_CLASSES =
  'min-h-10 w-full rounded-control border border-line-strong bg-card px-3 py-2 text-ink placeholder:text-ink-soft aria-invalid:border-loss'

type FieldProps = { label: string; hint?: ReactNode; error?: string | undefined }

/** Label, control, hint and error, linked by ARIA attributes. */
function FieldLayout({
  label,
  hint,
  error,
  children,
}: FieldProps & {
  children: (ariaProps: { id: string; 'aria-describedby'?: string; 'aria-invalid': boolean }) => ReactNode
}) {
  const id = useId()
  const describedBy = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(' ')
  const ariaProps = {
    id,
    'aria-invalid': error !== undefined,
    ...(describedBy !== '' && { 'aria-describedby': describedBy }),
  }
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children(ariaProps)}
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

/** Single-line input with label, hint and error. */
export function TextField({ label, hint, error, ...input }: FieldProps & ComponentProps<'input'>) {
  return (
    <FieldLayout label={label} hint={hint} error={error}>
      {(ariaProps) => <input className={CONTROL_CLASSES} {...ariaProps} {...input} />}
    </FieldLayout>
  )
}

/** Select with label, hint and error. */
export function SelectField({
  label,
  hint,
  error,
  options,
  ...select
}: FieldProps & { options: [value: string, label: string][] } & ComponentProps<'select'>) {
  return (
    <FieldLayout label={label} hint={hint} error={error}>
      {(ariaProps) => (
        <select className={CONTROL_CLASSES} {...ariaProps} {...select}>
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </FieldLayout>
  )
}
