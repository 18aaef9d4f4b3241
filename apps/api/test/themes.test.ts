import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { addSet, type TestAccount } from '@brickmark/tests/support/fixtures'

let api: TestApi
let account: TestAccount

beforeAll(async () => {
  api = await startTestApi(async (db) => {
    const themes = ['Zoo', 'Harbor', 'Harbor', 'Éclair', 'Castle', 'harbor', 'Harbor']
    for (const [index, theme] of themes.entries()) await addSet(db, { set_number: `${index + 1}-1`, theme })
  })
  account = await api.createAccount()
})
afterAll(() => api.stop())

test('200: returns every theme A–Z with its number of sets', async () => {
  const { data } = await api.get('/catalog/themes', account)
  expect(data).toEqual({
    themes: [
      { theme: 'Castle', set_count: 1 },
      { theme: 'Éclair', set_count: 1 },
      { theme: 'harbor', set_count: 1 },
      { theme: 'Harbor', set_count: 3 },
      { theme: 'Zoo', set_count: 1 },
    ],
  })
})

test('200: returns no themes without sets', async () => {
  const empty = await startTestApi()
  try {
    expect((await empty.get('/catalog/themes', await empty.createAccount())).data).toEqual({ themes: [] })
  } finally {
    await empty.stop()
  }
})

test.each(['limit=5', 'offset=0', 'q=harbor', 'theme=Harbor'])('400: rejects the parameter %s', async (query) => {
  const response = await api.get(`/catalog/themes?${query}`, account)
  expect([response.status, response.error.code]).toEqual([400, 'BadRequest'])
})
