import { useEffect, useRef, type ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'

/**
 * Confirmation dialog with its own URL: a child route renders it into the page's `<Outlet />`. Without JavaScript it is
 * simply open and Cancel is a link; with JavaScript it is modal and Escape closes it.
 */
export function Dialog({ title, closePath, children }: { title: string; closePath: string; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const navigate = useNavigate()
  useEffect(() => {
    // Server-rendered as open but not modal; reopen as modal.
    dialog.current?.close()
    dialog.current?.showModal()
  }, [])
  return (
    <dialog
      ref={dialog}
      open
      aria-labelledby="dialog-title"
      className="over-page w-[min(30rem,calc(100vw-2rem))] rounded-card border border-line bg-card p-5 text-ink"
      onCancel={(event) => {
        event.preventDefault()
        void navigate(closePath, { preventScrollReset: true })
      }}
    >
      <div className="mb-3 flex items-start justify-between gap-4">
        <h2 id="dialog-title" className="text-lg">
          {title}
        </h2>
        <Link className="text-ink-soft underline underline-offset-4" preventScrollReset to={closePath}>
          Cancel
        </Link>
      </div>
      {children}
    </dialog>
  )
}
