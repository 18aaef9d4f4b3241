import { Brickmark, NotFoundError } from 'brickmark'
import { notFound } from 'next/navigation'

/** app/sets/[number]/page.tsx: the value of a set. Rendered on the server, so that the key never reaches a browser. */

// One request per hour and set, however many people look.
export const revalidate = 3600

const brickmark = new Brickmark()

export default async function SetValue({ params }: { params: Promise<{ number: string }> }) {
  const { number } = await params
  const set = await findSet(number)
  const { low, high } = set.value_range
  return (
    <main>
      <h1>{set.title}</h1>
      <p>
        {set.set_number} · {set.theme}
      </p>
      {set.new_value_usd === null ? (
        <p>There is no value yet.</p>
      ) : (
        <p>
          Sealed: {dollars(set.new_value_usd)}
          {low !== null && high !== null && ` (likely ${dollars(low)} to ${dollars(high)})`}
        </p>
      )}
    </main>
  )
}

async function findSet(number: string) {
  try {
    return (await brickmark.getSet(number)).data
  } catch (error) {
    if (error instanceof NotFoundError) notFound()
    throw error
  }
}

function dollars(amount: number): string {
  return amount.toLocaleString('en-US', { style: 'currency', currency: 'USD' })
}
