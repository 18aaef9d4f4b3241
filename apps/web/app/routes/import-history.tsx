import { Link, Outlet, useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { readAs } from '@brickmark/core/db/database'
import { findImports } from '@brickmark/core/portfolio/lot-import-queries'
import { Badge } from '../components/badge.tsx'
import { ButtonLink } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { Empty } from '../components/empty-state.tsx'
import { Notice } from '../components/notice.tsx'
import { Page, Time } from '../components/page.tsx'
import { Table } from '../components/table.tsx'
import { servicesOf, signedIn } from '../server/context.ts'
import { UNDO_DAYS } from '@brickmark/core/portfolio/lot-import/format'

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { accountId } = signedIn(context)
  const found = await readAs(servicesOf(context).db, accountId, (as) => findImports(as, accountId))
  const imports = found.map((one) => ({
    id: one.id,
    fileName: one.file_name,
    format: one.format ?? '',
    at: one.imported_at?.toISOString() ?? '',
    lots: one.lots ?? 0,
    units: one.units ?? 0,
    leftOut: one.left_out ?? 0,
    undone: one.undone_at?.toISOString(),
    kept: one.kept ?? 0,
    undoable: one.status === 'done' && Date.now() - (one.imported_at?.getTime() ?? 0) < UNDO_DAYS * 86_400_000,
  }))
  const asked = Number(new URL(request.url).searchParams.get('new'))
  return { imports, fresh: imports.find((one) => one.id === asked && one.undone === undefined) }
}

export default function Imports() {
  const { imports, fresh } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Imports"
      lead={`Each can be undone for ${UNDO_DAYS} days: what it added goes, what you changed since stays.`}
      actions={
        <ButtonLink to="/import" look="main">
          Import a file
        </ButtonLink>
      }
    >
      <title>Imports · Brickmark</title>
      {fresh && (
        <Notice tone="gain" title={`${count(fresh.lots, 'lot')} added`}>
          {fresh.leftOut > 0 && (
            <>
              {count(fresh.leftOut, 'row')} left out:{' '}
              <Link to={`/imports/${fresh.id}/left-out.csv`} reloadDocument>
                download with the reasons
              </Link>
              .{' '}
            </>
          )}
          <Link to="/collections">See your collections</Link>
        </Notice>
      )}
      {imports.length === 0 ? (
        <Empty title="No import yet">Files you import are listed here.</Empty>
      ) : (
        <Card>
          <Table
            caption="Your imports"
            rows={imports}
            rowKey={(one) => one.id}
            columns={[
              { key: 'file', title: 'File', cell: (one) => <span className="wrap-anywhere">{one.fileName}</span> },
              { key: 'format', title: 'Format', cell: (one) => one.format },
              { key: 'at', title: 'Imported', cell: (one) => <Time iso={one.at} /> },
              { key: 'lots', title: 'Lots', right: true, cell: (one) => one.lots.toLocaleString('en-US') },
              { key: 'units', title: 'Units', right: true, cell: (one) => one.units.toLocaleString('en-US') },
              {
                key: 'left-out',
                title: 'Left out',
                right: true,
                cell: (one) =>
                  one.leftOut === 0 ? (
                    '0'
                  ) : (
                    <Link
                      to={`/imports/${one.id}/left-out.csv`}
                      reloadDocument
                      aria-label={`Download the ${count(one.leftOut, 'row')} left out of ${one.fileName}`}
                    >
                      {one.leftOut.toLocaleString('en-US')}
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
