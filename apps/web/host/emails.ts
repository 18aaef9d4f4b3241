import { describeAlert } from '@brickmark/core/alert/alert-text'
import type { DueMail } from '@brickmark/core/alert/due-mail-commands'
import type { WebConfig } from './config.ts'
import type { QuotaMail } from '@brickmark/core/account/quota-mail-commands'
import { renderEmail } from './email-layout.ts'
import type { Email } from './email.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

export function verificationEmail(origin: string, to: string, token: string): Email {
  return renderEmail(to, 'Confirm your email', [
    'Welcome to Brickmark! Confirm your email to finish setting up your account.',
    { button: 'Confirm email', url: `${origin}/verify-email?token=${encodeURIComponent(token)}` },
    'We’ll ask for the password you chose. This link expires in 24 hours.',
    'If you didn’t sign up, you can ignore this email: we’ll delete the account after two days.',
  ])
}

export function existingAccountEmail(origin: string, to: string): Email {
  return renderEmail(to, 'You already have a Brickmark account', [
    'Someone tried to create a Brickmark account with this email, but you already have one.',
    { button: 'Sign in', url: `${origin}/sign-in` },
    { button: 'Reset your password', url: `${origin}/forgot-password` },
    'If this wasn’t you, you can ignore this email. Nothing has changed.',
  ])
}

export function accountDeletedEmail(to: string): Email {
  return renderEmail(to, 'Your Brickmark account has been deleted', [
    'As requested, we’ve permanently deleted your Brickmark account and all of its data. This is the last email you’ll get from us.',
    'Backups are overwritten on a rolling schedule. If you didn’t request this, reply to this email right away.',
  ])
}

export function passwordResetEmail(origin: string, to: string, token: string): Email {
  const email = renderEmail(to, 'Reset your password', [
    'Someone requested a password reset for your Brickmark account.',
    { button: 'Choose a new password', url: `${origin}/reset-password?token=${encodeURIComponent(token)}` },
    'This link expires in one hour, and resetting signs you out on all devices. If you didn’t request it, ignore this email and your password stays the same.',
  ])
  return { ...email, expiresInHours: 1 }
}

/** Changes to an account that its owner must hear about, even if it was the owner who made them. */
export type SecurityEvent =
  | 'password changed'
  | 'password reset'
  | 'two-factor enabled'
  | 'two-factor disabled'
  | 'passkey added'
  | 'passkey removed'
  | 'new device'

const EVENT_SUBJECTS: Record<SecurityEvent, string> = {
  'password changed': 'Your Brickmark password was changed',
  'password reset': 'Your Brickmark password was reset',
  'two-factor enabled': 'Two-factor authentication is on for your Brickmark account',
  'two-factor disabled': 'Two-factor authentication is off for your Brickmark account',
  'passkey added': 'A passkey was added to your Brickmark account',
  'passkey removed': 'A passkey was removed from your Brickmark account',
  'new device': 'New sign-in to your Brickmark account',
}

export function securityEventEmail(origin: string, to: string, event: SecurityEvent, client: string | null): Email {
  return renderEmail(to, EVENT_SUBJECTS[event], [
    {
      rows: [
        ['When', `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`],
        ['Browser', client ?? 'unknown'],
      ],
    },
    'If this was you, you don’t need to do anything.',
    'If it wasn’t you, reset your password now and check the box that revokes your API keys and removes your passkeys.',
    { button: 'Reset your password', url: `${origin}/forgot-password` },
    { button: 'Review your activity log', url: `${origin}/account/activity` },
  ])
}

/** The alerts of an account since its last email about them. */
export function alertsEmail(config: WebConfig, { accountId, email, alerts, total }: DueMail): Email {
  const [first] = alerts
  const subject = total === 1 ? `${first!.title}: ${describeAlert(first!)}` : `${total} alerts`
  const origin = config.publicUrl
  const items = alerts.map((alert) => ({
    title: `${alert.title} (${alert.itemNumber})`,
    url: `${origin}/${alert.itemKind}/${encodeURIComponent(alert.itemNumber)}`,
    text: describeAlert(alert),
  }))
  const others = total - items.length
  return renderEmail(
    email,
    subject,
    [
      ...items,
      ...(others > 0 ? [`And ${others} more.`] : []),
      { button: 'See all alerts', url: `${origin}/alerts` },
      'Prices may have changed since. Check the price at the retailer before you buy.',
    ],
    {
      reason: 'You get this email because of your alert rules.',
      settingsUrl: `${origin}/alerts/email`,
      unsubscribeUrl: unsubscribeUrl(config, accountId),
    },
  )
}

/** A key has used most of its credits of the day, or all of them. */
export function quotaEmail(origin: string, { email, keyId, keyName, percent, used, dailyLimit }: QuotaMail): Email {
  const count = (credits: number) => credits.toLocaleString('en-US')
  const subject =
    percent === 100 ? `API key ${keyName}: no credits left today` : `API key ${keyName}: 80% of daily credits used`
  return renderEmail(email, subject, [
    `Your API key “${keyName}” has used ${count(used)} of ${count(dailyLimit)} credits.`,
    percent === 100
      ? 'Until midnight UTC, requests with it are answered with status 429. Then it has all of its credits again.'
      : 'At midnight UTC, it has all of its credits again.',
    { button: 'See what used them', url: `${origin}/keys/${keyId}` },
    `You get this email because you asked for it. Turn it off at ${origin}/usage.`,
  ])
}
