/** The text fields of a posted form, by name. What is missing, or a file, is ''. */
export async function readForm(request: Request): Promise<(name: string) => string> {
  const form = await request.formData()
  return (name) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
}
