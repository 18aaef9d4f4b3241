import { Link, Outlet, useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { readAs } from '@brickmark/core/db/database'
import { findImports } from '@brickmark/core/portfolio/lot-import-queries'
import { Badge } from '../components/badge.tsx'
import { ButtonLink } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Notice } from '../components/notice.tsx'
import { Page, Timestamp } from '../components/page.tsx'
import { Table } from '../components/table.tsx'
import { getServices, requireUser } from '../server/context.ts'
import { UNDO_DAYS } from '@brickmark/core/portfolio/lot-import/format'

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { accountId } = requireUser(context)
  const found = await readAs(getServices(context).db, accountId, (tx) => findImports(tx, accountId))
  const imports = found.map((one) => ({
    id: one.id,
    fileName: one.file_name,
    format: one.format ?? '',
    at: one.imported_at?.toISOString() ?? '',
    lots: one.lots ?? 0,
    units: one.units ?? 0,
    skipped: one.left_out ?? 0,
    undone: one.undone_at?.toISOString(),
    kept: one.kept ?? 0,
    undoable: one.status === 'done' && Date.now() - (one.imported_at?.getTime() ?? 0) < UNDO_DAYS * 86_400_000,
  }))
  const newId = Number(new URL(request.url).searchParams.get('new'))
  return { imports, justImported: imports.find((one) => one.id === newId && one.undone === undefined) }
}

export default function Imports() {
  const { imports, justImported } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Imports"
      description={`Each can be undone for ${UNDO_DAYS} days: what it added goes, what you changed since stays.`}
      actions={
        <ButtonLink to="/import" variant="main">
          Import a file
        </ButtonLink>
      }
    >
      <title>Imports · Brickmark</title>
      {justImported && (
        <Notice tone="gain" title={`${count(justImported.lots, 'lot')} added`}>
          {justImported.skipped > 0 && (
            <>
              {count(justImported.skipped, 'row')} left out:{' '}
              <Link to={`/imports/${justImported.id}/left-out.csv`} reloadDocument>
                download with the reasons
              </Link>
              .{' '}
            </>
          )}
          <Link to="/collections">See your collections</Link>
        </Notice>
      )}
      {imports.length === 0 ? (
        <EmptyState title="No import yet">Files you import are listed here.</EmptyState>
      ) : (
        <Card>
          <Table
            caption="Your imports"
            rows={imports}
            rowKey={(one) => one.id}
            columns={[
              { key: 'file', title: 'File', cell: (one) => <span className="wrap-anywhere">{one.fileName}</span> },
              { key: 'format', title: 'Format', cell: (one) => one.format },
              { key: 'at', title: 'Imported', cell: (one) => <Timestamp iso={one.at} /> },
              { key: 'lots', title: 'Lots', right: true, cell: (one) => one.lots.toLocaleString('en-US') },
              { key: 'units', title: 'Units', right: true, cell: (one) => one.units.toLocaleString('en-US') },
              {
                key: 'left-out',
                title: 'Left out',
                right: true,
                cell: (one) =>
                  one.skipped === 0 ? (
                    '0'
                  ) : (
                    <Link
                      to={`/imports/${one.id}/left-out.csv`}
                      reloadDocument
                      aria-label={`Download the ${count(one.skipped, 'row')} left out of ${one.fileName}`}
                    >
                      {one.skipped.toLocaleString('en-US')}
                    </Link>
                  ),
              },
              {
                key: 'undo',
                title: 'Undo',
                right: true,
                cell: (one) =>
                  one.undone !== undefined ? (
                    <span>
                      <Badge>Undone</Badge>
                      {one.kept > 0 && (
                        <span className="block text-ink-soft">{count(one.kept, 'lot')} changed since, kept</span>
                      )}
                    </span>
                  ) : one.undoable ? (
                    <Link to={`/imports/${one.id}/undo`} preventScrollReset aria-label={`Undo ${one.fileName}`}>
                      Undo
                    </Link>
                  ) : (
                    <span className="text-ink-soft">Over {UNDO_DAYS} days ago</span>
                  ),
              },
            ]}
          />
        </Card>
      )}
      <Outlet />
    </Page>
  )
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`
}
