import { Link } from 'react-router'
import { Picture } from './picture.tsx'

/** Set in a table: its picture, and the title that links to its page, with the number below. */
export function SetLink({ setNumber, title, note }: { setNumber: string; title: string; note?: string }) {
  return (
    <span className="flex min-w-0 items-center gap-3 text-left">
      <Picture kind="sets" number={setNumber} />
      <span className="min-w-0">
        <Link to={`/set/${setNumber}`} className="font-medium text-ink no-underline hover:underline">
          {title}
        </Link>
        <span className="block text-xs font-normal text-ink-soft">
          {setNumber}
          {note !== undefined && ` · ${note}`}
        </span>
      </span>
    </span>
  )
}
