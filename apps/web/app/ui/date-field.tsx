import { useEffect, useRef, type ComponentProps } from 'react'
import { TextField } from './field.tsx'

/**
 * Date input limited to today. `serverDefault` is today on the server, which may differ in the user's time zone; the
 * browser corrects it unless the user has chosen another date.
 */
export function DateField({
  serverDefault,
  ...field
}: Omit<ComponentProps<typeof TextField>, 'type' | 'ref'> & { serverDefault: string | undefined }) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const now = new Date()
    const localToday = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
    input.current!.max = localToday
    if (input.current!.value === serverDefault) input.current!.value = localToday
  }, [serverDefault])
  return <TextField {...field} ref={input} type="date" />
}
