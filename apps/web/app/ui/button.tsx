import type { ComponentProps } from 'react'
import { Link, type LinkProps } from 'react-router'

export type ButtonVariant = 'main' | 'plain' | 'danger'

const BASE_CLASSES =
  'inline-flex min-h-9 items-center justify-center gap-2 rounded-control border px-3.5 py-1.5 font-medium no-underline active:translate-y-px disabled:opacity-45'
const VARIANT_CLASSES: Record<ButtonVariant, string> = {
  main: 'border-accent bg-accent text-on-accent hover:border-accent-hover hover:bg-accent-hover',
  plain: 'border-line-strong bg-card text-ink hover:bg-sunken',
  danger: 'border-loss bg-card text-loss hover:bg-loss-soft',
}

/** Button; submits by default inside a form. Use one `main` button per page and `danger` for irreversible actions. */
export function Button({ variant = 'plain', ...button }: { variant?: ButtonVariant } & ComponentProps<'button'>) {
  return <button type="submit" className={`${BASE_CLASSES} ${VARIANT_CLASSES[variant]}`} {...button} />
}

/** Link styled as a button. */
export function ButtonLink({ variant = 'plain', ...link }: { variant?: ButtonVariant } & LinkProps) {
  return <Link className={`${BASE_CLASSES} ${VARIANT_CLASSES[variant]}`} {...link} />
}
