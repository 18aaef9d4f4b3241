import { MAX_COLLECTION_NAME } from '@brickmark/core/portfolio/lot'
import { CopyButton } from '../ui/copy-button.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { useRootData } from '../ui/root-data.ts'

type ShelfSettingsProps = {
  collectionName: string
  shelf: {
    heading: string
    showsValue: boolean
    showsPurchaseDate: boolean
    showsNotes: boolean
    url: string | null
  } | null
}

/** Shares a collection by a link, and stops it. */
export function ShelfSettings({ collectionName, shelf }: ShelfSettingsProps) {
  return (
    <section aria-label="Share a read-only page" className="mt-5 grid gap-4 border-t border-line pt-4">
      <div>
        <h3 className="font-medium">Share a read-only page</h3>
        <Audience />
      </div>
      {shelf !== null && <ShelfLink url={shelf.url} />}
      <Form submitLabel={shelf === null ? 'Share' : 'Save page'} variant="plain" intent="share">
        <TextField
          label="Heading"
          name="heading"
          maxLength={MAX_COLLECTION_NAME}
          defaultValue={shelf?.heading ?? collectionName}
          hint="What visitors read instead of your name"
        />
        <fieldset className="grid gap-1">
          <legend className="mb-1 font-medium">Besides item, quantity and condition, show</legend>
          <Choice name="value" label="Value, and the total" isChosen={shelf?.showsValue} />
          <Choice name="date" label="Purchase date" isChosen={shelf?.showsPurchaseDate} />
          <Choice name="notes" label="Notes" isChosen={shelf?.showsNotes} />
        </fieldset>
      </Form>
      {shelf !== null && (
        <div className="flex flex-wrap gap-2">
          <Form submitLabel="New link" variant="plain" intent="new-link" />
          <Form submitLabel="Stop sharing" variant="danger" intent="unshare" />
        </div>
      )}
    </section>
  )
}

/** Says who can open the link, which depends on what the operator lets visitors see. */
function Audience() {
  const root = useRootData()
  return (
    <p className="text-sm text-ink-soft">
      {root?.isPublic === true
        ? 'Everyone with the link can see it, without signing in.'
        : 'Everyone with the link and an account here can see it.'}{' '}
      What you paid and gained is never on it.
      {root?.isPublic === true && !root.hasBadges && ' Values are only shown to people who are signed in.'}
    </p>
  )
}

function ShelfLink({ url }: { url: string | null }) {
  if (url === null)
    return (
      <p className="text-sm text-ink-soft">
        Your link still works but can’t be shown anymore. Make a new one to see it.
      </p>
    )
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm">
      <a href={url} className="min-w-0 break-all">
        {url}
      </a>
      <CopyButton text={url} label="Copy link" />
    </p>
  )
}

function Choice({ name, label, isChosen = false }: { name: string; label: string; isChosen?: boolean | undefined }) {
  return (
    <label className="flex min-h-6 items-center gap-2">
      <input type="checkbox" name={name} value="yes" defaultChecked={isChosen} className="size-4 accent-accent" />
      {label}
    </label>
  )
}
