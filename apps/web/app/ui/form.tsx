import type { ReactNode } from 'react'
import { Form as RouterForm, useNavigation } from 'react-router'
import { Button, type ButtonVariant } from './button.tsx'
import { Notice } from './notice.tsx'

/**
 * Form with a submit button and an error message above it. Works without JavaScript; with JavaScript, the button is
 * disabled while the form is being submitted. `action` defaults to the current route.
 */
export function Form({
  submitLabel,
  submitAriaLabel,
  variant = 'main',
  error,
  action,
  intent,
  children,
}: {
  submitLabel: string
  /** Accessible name of the button, for a page with several of the same label. */
  submitAriaLabel?: string
  variant?: ButtonVariant
  error?: string | undefined
  action?: string
  /** Distinguishes several forms of one route. */
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
        <Button variant={variant} disabled={busy} aria-label={submitAriaLabel}>
          {submitLabel}
        </Button>
      </div>
    </RouterForm>
  )
}

export const SUBMISSION_FIELD = 'submission'

/** Identifies this form, so that submitting it twice records it once, with and without JavaScript. */
export function SubmissionField({ token }: { token: string }) {
  return <input type="hidden" name={SUBMISSION_FIELD} value={token} />
}
