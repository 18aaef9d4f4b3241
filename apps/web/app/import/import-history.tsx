import { Link, Outlet } from 'react-router'
import { readAs } from '@brickmark/core/db/database'
import { findImports } from '@brickmark/core/portfolio/lot-import-queries'
import { Badge } from '../ui/badge.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { Table } from '../ui/table.tsx'
import { getServices, requireUser } from '../request/context.server.ts'
import { UNDO_DAYS } from '@brickmark/core/portfolio/lot-import/format'
import type { Route } from './+types/import-history.ts'

export async function loader({ request, context }: Route.LoaderArgs) {
  const { accountId } = requireUser(context)
  const rows = await readAs(getServices(context).db, accountId, (tx) => findImports(tx, accountId))
  const imports = rows.map((row) => ({
    id: row.id,
    fileName: row.file_name,
    format: row.format ?? '',
    at: row.imported_at?.toISOString() ?? '',
    lots: row.lots ?? 0,
    units: row.units ?? 0,
    skipped: row.skipped ?? 0,
    undone: row.undone_at?.toISOString(),
    kept: row.kept ?? 0,
    undoable: row.status === 'done' && Date.now() - (row.imported_at?.getTime() ?? 0) < UNDO_DAYS * 86_400_000,
  }))
  const newId = Number(new URL(request.url).searchParams.get('new'))
  return { imports, justImported: imports.find((record) => record.id === newId && record.undone === undefined) }
}

export default function ImportHistory({ loaderData }: Route.ComponentProps) {
  const { imports, justImported } = loaderData
  return (
    <Page
      title="Import history"
      description={`You can undo an import for ${UNDO_DAYS} days. Lots you’ve changed since are kept.`}
      actions={
        <ButtonLink to="/import" variant="main">
          Import
        </ButtonLink>
      }
    >
      <title>Import history · Brickmark</title>
      {justImported && (
        <Notice tone="gain" title={`${count(justImported.lots, 'lot')} imported`}>
          {justImported.skipped > 0 && (
            <>
              {count(justImported.skipped, 'row')} skipped:{' '}
              <Link to={`/imports/${justImported.id}/skipped.csv`} reloadDocument>
                download details
              </Link>
              .{' '}
            </>
          )}
          <Link to="/collections">View collections</Link>
        </Notice>
      )}
      {imports.length === 0 ? (
        <EmptyState title="No imports yet">Your imported files appear here.</EmptyState>
      ) : (
        <Card>
          <Table
            caption="Your imports"
            rows={imports}
            rowKey={(row) => row.id}
            columns={[
              { key: 'file', title: 'File', cell: (row) => <span className="wrap-anywhere">{row.fileName}</span> },
              { key: 'format', title: 'Format', cell: (row) => row.format },
              { key: 'at', title: 'Imported', cell: (row) => <Timestamp iso={row.at} /> },
              { key: 'lots', title: 'Lots', right: true, cell: (row) => row.lots.toLocaleString('en-US') },
              { key: 'units', title: 'Qty', right: true, cell: (row) => row.units.toLocaleString('en-US') },
              {
                key: 'skipped',
                title: 'Skipped',
                right: true,
                cell: (row) =>
                  row.skipped === 0 ? (
                    '0'
                  ) : (
                    <Link
                      to={`/imports/${row.id}/skipped.csv`}
                      reloadDocument
                      aria-label={`Download ${row.skipped.toLocaleString('en-US')} skipped ${row.skipped === 1 ? 'row' : 'rows'} from ${row.fileName}`}
                    >
                      {row.skipped.toLocaleString('en-US')}
                    </Link>
                  ),
              },
              {
                key: 'undo',
                title: 'Undo',
                right: true,
                cell: (row) =>
                  row.undone !== undefined ? (
                    <span>
                      <Badge>Undone</Badge>
                      {row.kept > 0 && (
                        <span className="block text-ink-soft">
                          {count(row.kept, 'lot')} kept because you changed {row.kept === 1 ? 'it' : 'them'}
                        </span>
                      )}
                    </span>
                  ) : row.undoable ? (
                    <Link to={`/imports/${row.id}/undo`} preventScrollReset aria-label={`Undo ${row.fileName}`}>
                      Undo
                    </Link>
                  ) : (
                    <span className="text-ink-soft">Expired</span>
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
