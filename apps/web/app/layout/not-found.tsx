import { data } from 'react-router'

/** Catch-all route for unknown URLs. */
export function loader(): never {
  throw data('not found', 404)
}

export default function NotFound() {
  return null
}
