import { Link } from 'react-router'

/** Set in a table: the title links to its page, with the number below. */
export function SetLink({ setNumber, title, note }: { setNumber: string; title: string; note?: string }) {
  return (
    <span className="block min-w-0">
      <Link to={`/set/${setNumber}`} className="text-ink underline decoration-line-strong underline-offset-4">
        {title}
      </Link>
      <span className="block text-xs font-normal text-ink-soft">
        {setNumber}
        {note !== undefined && ` · ${note}`}
      </span>
    </span>
  )
}
