import type { Email } from './mailer.ts'

export function verificationEmail(origin: string, to: string, token: string): Email {
  return {
    to,
    subject: 'Confirm your address for Brickmark',
    text: `Somebody, hopefully you, signed up to Brickmark with this address. Confirm it within 24 hours:

${origin}/verify-email?token=${encodeURIComponent(token)}

We will ask for the password that was chosen. If it was not you, do nothing: the account is deleted after two days.`,
  }
}

export function existingAccountEmail(origin: string, to: string): Email {
  return {
    to,
    subject: 'You already have a Brickmark account',
    text: `Somebody, hopefully you, tried to sign up to Brickmark with this address, which has an account already.

Sign in:            ${origin}/sign-in
Forgot the password: ${origin}/forgot-password

If it was not you, do nothing: nothing has changed.`,
  }
}

export function accountDeletedEmail(to: string): Email {
  return {
    to,
    subject: 'Your Brickmark account is deleted',
    text: `Your account and everything in it was deleted, as somebody who signed in as you asked for. This is the last mail
you get from us: we no longer know your address.

Copies made for emergencies keep it until they are overwritten. If it was not you, answer within a few days.`,
  }
}

export function passwordResetEmail(origin: string, to: string, token: string): Email {
  return {
    to,
    subject: 'A new password for Brickmark',
    text: `Choose a new password within an hour:

${origin}/reset-password?token=${encodeURIComponent(token)}

It ends all your sessions. If you did not ask for it, do nothing: your password stays as it is.`,
  }
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
  return {
    to,
    subject: EVENT_SUBJECTS[event],
    text: `${EVENT_SUBJECTS[event]}.

When:    ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC
Browser: ${client ?? 'unknown'}

If this was you, there is nothing to do.

If it was not you, set a new password now and tick the box that revokes API keys and passkeys:

${origin}/forgot-password

Then look at what was changed: ${origin}/account/history`,
  }
}
