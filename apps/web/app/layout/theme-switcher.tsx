import { Monitor, Moon, Sun } from 'lucide-react'
import { Form, useLocation, useRouteError } from 'react-router'
import { useRootData } from '../ui/root-data.ts'

const THEMES = [
  ['light', 'Light', Sun],
  ['dark', 'Dark', Moon],
  ['system', 'System', Monitor],
] as const

/** Chooses between light, dark and the system's setting; works without JavaScript. */
export function ThemeSwitcher() {
  const theme = useRootData()?.theme ?? 'system'
  const { pathname, search } = useLocation()
  // An error page repeats nothing of its URL, which may contain a secret.
  const returnPath = (useRouteError() ?? null) === null ? pathname + search : '/'
  return (
    <Form method="post" action="/theme" preventScrollReset>
      <input type="hidden" name="to" value={returnPath} />
      <fieldset className="flex w-fit gap-0.5 rounded-control bg-sunken p-0.5">
        <legend className="sr-only">Appearance</legend>
        {THEMES.map(([name, label, Icon]) => (
          <button
            key={name}
            type="submit"
            name="theme"
            value={name}
            aria-label={label}
            title={label}
            aria-pressed={name === theme}
            className="rounded-badge px-2 py-1 text-ink-soft aria-pressed:bg-raised aria-pressed:text-ink aria-pressed:shadow-card"
          >
            <Icon aria-hidden="true" className="size-4" />
          </button>
        ))}
      </fieldset>
    </Form>
  )
}
