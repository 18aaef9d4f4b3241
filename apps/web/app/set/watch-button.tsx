import { Eye } from 'lucide-react'
import { Form } from 'react-router'
import { Button, ButtonLink } from '../ui/button.tsx'

/** Adds an item to the watchlist and returns to `returnTo`; links to the watchlist once it's there. */
export function WatchButton({
  kind,
  number,
  isWatched,
  returnTo,
}: {
  kind: 'set' | 'minifig'
  number: string
  isWatched: boolean
  returnTo: string
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
      <Button>
        <Eye aria-hidden="true" className="size-4" /> Watch
      </Button>
    </Form>
  )
}
