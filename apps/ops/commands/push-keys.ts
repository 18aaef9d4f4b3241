import { Command } from 'commander'
import webPush from 'web-push'

export const pushKeysCommand = new Command('push-keys')
  .description('print a new pair of keys for push notifications')
  .action(() => {
    const { publicKey, privateKey } = webPush.generateVAPIDKeys()
    process.stdout.write(`VAPID_PUBLIC_KEY=${publicKey}\nVAPID_PRIVATE_KEY=${privateKey}\n`)
  })
