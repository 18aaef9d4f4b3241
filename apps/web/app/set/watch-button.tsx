import { Eye } from 'lucide-react'
import { Form } from 'react-router'
import { Button, ButtonLink } from '../ui/button.tsx'

/** Adds an item to the watchlist and returns to `returnTo`; links to the watchlist once it's there. */
export function WatchButton({
  kind,
  number,
  isWatched,
  returnTo,
  target,
}: {
  kind: 'set' | 'minifig'
  number: string
  isWatched: boolean
  returnTo: string
  /** In cents. */
  target?: number
}) {
  if (isWatched)
    return (
      <ButtonLink to="/watchlist">
        <Eye aria-hidden="true" className="size-4" /> Watching
      </ButtonLink>
    )
  return (
    <Form method="post" action="/watchlist">
      <input type="hidden" name="intent" value="watch" />
      <input type="hidden" name="kind" value={kind} />
      <input type="hidden" name="number" value={number} />
      <input type="hidden" name="to" value={returnTo} />
      {target !== undefined && <input type="hidden" name="target" value={(target / 100).toFixed(2)} />}
      <Button>
        <Eye aria-hidden="true" className="size-4" /> Watch
      </Button>
    </Form>
  )
}
