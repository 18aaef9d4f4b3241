import type { Email } from './mailer.ts'

export function verificationEmail(origin: string, to: string, token: string): Email {
  return {
    to,
    subject: 'Confirm your address for Brickmark',
    text: `Somebody, hopefully you, signed up to Brickmark with this address. Confirm it within 24 hours:

${origin}/verify-email?token=${encodeURIComponent(token)}

If it was not you, do nothing: without this the account cannot be used.`,
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
