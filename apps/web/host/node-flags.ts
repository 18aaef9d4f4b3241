/**
 * Node flags of the web process; keep in sync with `npm run web`. By default, Node lets the heap grow to several times what
 * is needed: under attack the process reached 620 MB. Its threads for files, passwords and pictures have heaps of their own.
 */
export const WEB_NODE_FLAGS = ['--max-semi-space-size=8', '--max-old-space-size=192']
