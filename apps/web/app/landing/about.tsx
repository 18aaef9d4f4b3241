import { Link } from 'react-router'
import { Page } from '../ui/page.tsx'
import { PageMeta } from '../ui/page-meta.tsx'
import { getServices } from '../request/context.server.ts'
import type { Route } from './+types/about.ts'

export function loader({ context }: Route.LoaderArgs) {
  return { contactEmail: getServices(context).config.contactEmail ?? null }
}

export default function About({ loaderData }: Route.ComponentProps) {
  const { contactEmail } = loaderData
  return (
    <Page title="About Brickmark">
      <PageMeta
        title="About"
        description="Brickmark computes what brick sets are worth from licensed sales, and shows how sure each number is."
        path="/about"
      />
      <div className="prose max-w-prose">
        <p>
          Brickmark tells collectors and resellers what their sets are worth. Every night it computes the value of each
          set and minifig from completed sales, and it shows the range and the evidence behind each number.
        </p>
        <h2>What we promise</h2>
        <ul>
          <li>
            Every value says how sure it is. With low confidence, it’s an estimate from similar sets; without enough to
            go on, there is no value.
          </li>
          <li>A published month never changes.</li>
          <li>We publish how far our values were from the sales that followed.</li>
          <li>Single sales never appear, neither on a page nor in the API.</li>
        </ul>
        <p>
          <Link to="/how-values-work">How values work</Link>
        </p>
        {contactEmail !== null && (
          <>
            <h2>Contact</h2>
            <p>
              <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
            </p>
          </>
        )}
        <h2>Independence</h2>
        <p>
          Brickmark is independent. LEGO® is a trademark of the LEGO Group of companies, which does not sponsor,
          authorize or endorse it. Pictures marked as illustrations are drawn by Brickmark and don’t show real products.
        </p>
      </div>
    </Page>
  )
}
