import { toEventBody, type WebhookEvent } from './event.ts'

/** What is sent for an event, and where to. */
export type Message = { url: string; body: object }

/** A service that shows messages to people. Its address tells which format it reads. */
export type Chat = 'Discord' | 'Slack' | 'ntfy'

/** Longest title that Discord accepts. */
const MAX_TITLE = 256

/** Returns the service that an endpoint belongs to, or undefined if it's somebody's own server. */
export function findChat(endpoint: string): Chat | undefined {
  const { hostname, pathname } = new URL(endpoint)
  if (/^(\w+\.)?discord(app)?\.com$/.test(hostname) && pathname.startsWith('/api/webhooks/')) return 'Discord'
  if (hostname === 'hooks.slack.com') return 'Slack'
  // Many run their own ntfy. Its topic is the only part of the path.
  if (hostname.startsWith('ntfy.') && /^\/[\w-]+$/.test(pathname)) return 'ntfy'
  return undefined
}

/** Returns the message for an event: a sentence for people in the format of their service, or else the event itself. */
export function toMessage(event: WebhookEvent, endpoint: string): Message {
  const chat = findChat(endpoint)
  if (chat === undefined) return { url: endpoint, body: toEventBody(event) }
  const { title, text } = describe(event)
  if (chat === 'Discord') {
    const embed = { title: title.slice(0, MAX_TITLE), description: text, timestamp: event.at.toISOString() }
    // A title that contains @everyone must not ring everybody's phone.
    return { url: endpoint, body: { username: 'Brickmark', embeds: [embed], allowed_mentions: { parse: [] } } }
  }
  if (chat === 'Slack') return { url: endpoint, body: { text: `*${escapeSlack(title)}*\n${escapeSlack(text)}` } }
  // Titles can only be sent as JSON, to the root of the server.
  const url = new URL(endpoint)
  const topic = url.pathname.slice(1)
  url.pathname = '/'
  return { url: url.href, body: { topic, title, message: text } }
}

function describe(event: WebhookEvent): { title: string; text: string } {
  const { data } = toEventBody(event)
  if (!('reason' in data)) return { title: 'Brickmark', text: 'This is a test. Your alerts will arrive here.' }
  return { title: `${data.title} (${data.item_number})`, text: data.reason }
}

/** Slack reads these as links, mentions and HTML entities. */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
