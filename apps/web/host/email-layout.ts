import { escapeHtml } from './escape-html.ts'
import type { Email } from './email.ts'

/** A paragraph, a link that stands out as a button, a linked title with a line of text, or facts in rows. */
export type EmailBlock =
  | string
  | { button: string; url: string }
  | { title: string; url: string; text: string }
  | { rows: [label: string, value: string][] }

/** Why the reader gets this kind of email, and how to stop it. */
export type EmailFooter = { reason: string; settingsUrl: string; unsubscribeUrl: string }

/** Colors of the light theme: mail clients know neither variables nor `light-dark()`. */
const INK = '#11131c'
const INK_SOFT = '#4d5364'
const PAPER = '#f4f5f8'
const LINE = '#e0e3ea'
const ACCENT = '#2c46d3'
const TRADEMARK =
  'LEGO® is a trademark of the LEGO Group of companies, which does not sponsor, authorize or endorse Brickmark.'

/** Renders an email as text and as HTML from the same blocks. */
export function renderEmail(to: string, subject: string, blocks: EmailBlock[], footer?: EmailFooter): Email {
  const text = [...blocks.map(toText), ...(footer ? [footerText(footer)] : [])].join('\n\n')
  return {
    to,
    subject,
    text,
    html: toHtml(subject, blocks, footer),
    ...(footer && { unsubscribeUrl: footer.unsubscribeUrl }),
  }
}

function footerText({ reason, settingsUrl, unsubscribeUrl }: EmailFooter): string {
  return `--\n${reason}\nChange how often: ${settingsUrl}\nUnsubscribe: ${unsubscribeUrl}`
}

function toText(block: EmailBlock): string {
  if (typeof block === 'string') return block
  if ('button' in block) return `${block.button}:\n${block.url}`
  if ('title' in block) return `${block.title}\n${block.text}\n${block.url}`
  const width = Math.max(...block.rows.map(([label]) => label.length)) + 1
  return block.rows.map(([label, value]) => `${`${label}:`.padEnd(width)} ${value}`).join('\n')
}

function toHtml(subject: string, blocks: EmailBlock[], footer: EmailFooter | undefined): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;background:${PAPER};color:${INK};font:16px/1.6 Inter,system-ui,sans-serif">
<div style="max-width:520px;margin:0 auto;padding:32px 16px">
<p style="margin:0 0 16px;font-weight:600">Brickmark</p>
<div style="padding:24px;background:#ffffff;border:1px solid ${LINE};border-radius:14px">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escapeHtml(subject)}</h1>
${blocks.map(toHtmlBlock).join('\n')}
</div>
${footer === undefined ? '' : footerHtml(footer)}
<p style="margin:16px 0 0;font-size:12px;color:${INK_SOFT}">${TRADEMARK}</p>
</div></body></html>`
}

function footerHtml({ reason, settingsUrl, unsubscribeUrl }: EmailFooter): string {
  const link = (url: string, text: string) => `<a href="${escapeHtml(url)}" style="color:${INK_SOFT}">${text}</a>`
  return `<p style="margin:16px 0 0;font-size:12px;color:${INK_SOFT}">${escapeHtml(reason)} ${link(settingsUrl, 'Change how often')} · ${link(unsubscribeUrl, 'Unsubscribe')}</p>`
}

function toHtmlBlock(block: EmailBlock): string {
  if (typeof block === 'string') return `<p style="margin:0 0 16px">${escapeHtml(block)}</p>`
  if ('button' in block)
    return `<p style="margin:0 0 16px"><a href="${escapeHtml(block.url)}" style="display:inline-block;padding:10px 18px;border-radius:9px;background:${ACCENT};color:#ffffff;font-weight:500;text-decoration:none">${escapeHtml(block.button)}</a></p>`
  if ('title' in block)
    return `<p style="margin:0 0 16px"><a href="${escapeHtml(block.url)}" style="color:${ACCENT};font-weight:500">${escapeHtml(block.title)}</a><br>${escapeHtml(block.text)}</p>`
  const cell = (text: string, color: string) =>
    `<td style="padding:2px 16px 2px 0;color:${color}">${escapeHtml(text)}</td>`
  const rows = block.rows.map(([label, value]) => `<tr>${cell(label, INK_SOFT)}${cell(value, INK)}</tr>`)
  return `<table role="presentation" style="margin:0 0 16px;border-collapse:collapse">${rows.join('')}</table>`
}
