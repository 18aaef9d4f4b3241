import type { ReactNode } from 'react'
import { Form as RouterForm, useNavigation } from 'react-router'
import { Button, type ButtonVariant } from './button.tsx'
import { Notice } from './notice.tsx'

/**
 * A form with one button, that says what went wrong above it. Without script it is a plain form. While it is under
 * way the button cannot be pressed twice. `action` is the route's own address unless given.
 */
export function Form({
  submitLabel,
  variant = 'main',
  error,
  action,
  intent,
  children,
}: {
  submitLabel: string
  variant?: ButtonVariant
  error?: string | undefined
  action?: string
  /** Tells apart the forms that one route takes. */
  intent?: string
  children?: ReactNode
}) {
  const { state, formData } = useNavigation()
  const busy = state !== 'idle' && formData !== undefined && formData.get('intent') === (intent ?? null)
  return (
    <RouterForm
      method="post"
      {...(action !== undefined && { action })}
      className="grid grid-cols-[minmax(0,1fr)] gap-4"
    >
      {error !== undefined && <Notice tone="loss">{error}</Notice>}
      {intent !== undefined && <input type="hidden" name="intent" value={intent} />}
      {children}
      <div>
        <Button variant={variant} disabled={busy}>
          {submitLabel}
        </Button>
      </div>
    </RouterForm>
  )
}
