import { data } from 'react-router'

/** Every address that no other route knows. */
export function loader(): never {
  throw data('not found', 404)
}

export default function NotFound() {
  return null
}
