/** Parses a posted form and returns a getter for its text fields; missing fields and files yield ''. */
export async function readForm(request: Request): Promise<(name: string) => string> {
  const form = await request.formData()
  return (name) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
}
