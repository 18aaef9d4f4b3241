// The service worker of browsers that get notifications: shows what arrives, and opens the page that it is about. A file of
// its own that isn't bundled, because its address must stay the same.

// What a newer version knows is needed for the next message, not after every tab has been closed.
self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('push', (event) => {
  event.waitUntil(show(event.data))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data.path))
})

async function show(data) {
  const { title, body, path, tag } = data.json()
  await self.registration.showNotification(title, { body, tag, icon: '/icon-192.png', data: { path } })
}

async function open(path) {
  const url = new URL(path, self.location.origin).href
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const found = windows.find((window) => window.url === url)
  await (found ? found.focus() : self.clients.openWindow(url))
}
