import { Link, useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { Card } from '../components/card.tsx'
import { Page } from '../components/page.tsx'
import { signedIn } from '../server/context.ts'

export function loader({ context }: LoaderFunctionArgs) {
  return { name: signedIn(context).name }
}

export default function Overview() {
  const { name } = useLoaderData<typeof loader>()
  return (
    <Page title="Overview" lead={`Good to see you, ${name}.`}>
      <title>Overview · Brickmark</title>
      <Card title="First steps">
        <ol className="list-decimal space-y-1 pl-5">
          <li>
            Make an <Link to="/keys">API key</Link> and see your first answer.
          </li>
          <li>
            Protect your account with a <Link to="/account">passkey or a second step</Link>.
          </li>
        </ol>
      </Card>
    </Page>
  )
}
