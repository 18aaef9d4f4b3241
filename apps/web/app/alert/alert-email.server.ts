import { redirect, type RouterContextProvider } from 'react-router'
import { MAIL_FREQUENCIES, type MailSettings } from '@brickmark/core/alert/mail-settings'
import { saveMailSettings, turnMailOff } from '@brickmark/core/alert/mail-settings-commands'
import { findMailSettings } from '@brickmark/core/alert/mail-settings-queries'
import { readAs, writeAs } from '@brickmark/core/db/database'
import { readUnsubscribeToken } from '../../host/unsubscribe.ts'
import { actionError } from '../request/action-result.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { readForm } from '../request/form.server.ts'
import { changePush, loadPush, PUSH_INTENTS } from './push.server.ts'

type Context = Readonly<RouterContextProvider>

const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')]

/** Loads when the account gets email about its alerts. */
export async function loadEmailSettings(context: Context, search: URLSearchParams) {
  const { accountId, email } = requireUser(context)
  const { bouncedAt, ...settings } = await readAs(getServices(context).db, accountId, (tx) =>
    findMailSettings(tx, accountId),
  )
  return {
    push: await loadPush(context),
    email,
    settings,
    bouncedAt: bouncedAt?.toISOString() ?? null,
    isSaved: search.has('saved'),
    isTested: search.has('tested'),
    timeZones: [...new Set([...TIME_ZONES, settings.timeZone])],
  }
}

/** Saves the settings of email, or changes which browsers get notifications. */
export async function saveEmailSettings(context: Context, request: Request) {
  const { accountId } = requireUser(context)
  const field = await readForm(request)
  if (PUSH_INTENTS.has(field('intent'))) return changePush(context, request, field)
  const settings = parseSettings(field)
  if (settings === undefined) return actionError('Choose a frequency, a time zone and hours from the lists.')
  await writeAs(getServices(context).db, accountId, (tx) => saveMailSettings(tx, accountId, settings))
  return redirect('/alerts/email?saved')
}

function parseSettings(field: (name: string) => string): MailSettings | undefined {
  const frequency = MAIL_FREQUENCIES.find((name) => name === field('frequency'))
  const [quietFrom, quietTo, dailyAt] = [field('quiet-from'), field('quiet-to'), field('daily-at')].map(parseHour)
  const timeZone = field('time-zone')
  const isKnown = TIME_ZONES.includes(timeZone)
  if (frequency === undefined || !isKnown || quietFrom === undefined || quietTo === undefined || dailyAt === undefined)
    return undefined
  return { frequency, timeZone, quietFrom, quietTo, dailyAt }
}

function parseHour(text: string): number | undefined {
  return /^([01]?\d|2[0-3])$/.test(text) ? Number(text) : undefined
}

/** Whether an unsubscribe link is ours. */
export function isUnsubscribeToken(context: Context, token: string): boolean {
  return readUnsubscribeToken(getServices(context).config.secret, token) !== undefined
}

/** Stops mail about the alerts of the account that the link belongs to. Nobody has to be signed in. */
export async function unsubscribe(context: Context, token: string): Promise<boolean> {
  const { db, config } = getServices(context)
  const accountId = readUnsubscribeToken(config.secret, token)
  if (accountId === undefined) return false
  await writeAs(db, accountId, (tx) => turnMailOff(tx, accountId))
  return true
}
