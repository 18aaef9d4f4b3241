// What the pages gain from script; they read well without it.

// Browsers give the clipboard only to pages that came over TLS or from this machine.
if (navigator.clipboard) {
  for (const block of document.querySelectorAll('.code:not(.shown)')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', () => void copy(block, button))
    block.append(button)
  }
}

async function copy(block, button) {
  await navigator.clipboard.writeText(`${block.querySelector('code').textContent.trimEnd()}\n`)
  button.textContent = 'Copied'
  setTimeout(() => (button.textContent = 'Copy'), 2000)
}

const contents = document.querySelector('#contents')
if (contents) {
  contents.addEventListener('click', () => contents.hidePopover())
  const links = new Map(Array.from(contents.querySelectorAll('a'), (link) => [decodeURIComponent(link.hash), link]))
  const headings = Array.from(document.querySelectorAll('article [id]')).filter(({ id }) => links.has(`#${id}`))
  let current
  const follow = () => {
    const passed = headings.findLast((heading) => heading.getBoundingClientRect().top < 120) ?? headings[0]
    if (passed === current) return
    current = passed
    for (const [hash, link] of links) link.toggleAttribute('data-reading', hash === `#${passed.id}`)
  }
  addEventListener('scroll', follow, { passive: true })
  follow()
}

// "/" and Ctrl-K go to the search field.
const field = document.querySelector('.search input')
addEventListener('keydown', (event) => {
  const isTyping = event.target.matches?.('input, textarea, select')
  const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey
  const isCtrlK = event.key === 'k' && (event.ctrlKey || event.metaKey)
  if (!isSlash && !isCtrlK) return
  event.preventDefault()
  field.focus()
  field.select()
})
