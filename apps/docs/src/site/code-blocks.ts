import type { AstroExpressiveCodeOptions } from '@astrojs/starlight/expressive-code'

type Plugin = Extract<NonNullable<AstroExpressiveCodeOptions['plugins']>[number], { name: string }>

/** What a code block is called, by the words after its fence. */
const TITLES: Record<string, string> = {
  'json response': 'Response',
  'json example': 'Example response',
  'text output': 'Output',
}

type Node = { tagName?: string; properties?: Record<string, unknown>; children?: Node[] }

/** Plugin of Expressive Code, which renders the samples. */
export const codeBlocks: Plugin = {
  name: 'code-blocks',
  hooks: {
    /** Gives the output of a sample a title, so that it isn't mistaken for a command. */
    preprocessMetadata: ({ codeBlock }) => {
      const title = TITLES[`${codeBlock.language} ${codeBlock.meta}`]
      if (title === undefined) return
      codeBlock.props.title = title
      codeBlock.props.frame = 'code'
      codeBlock.props.wrap = true
    },
    /** Makes samples focusable, so that they can be scrolled with the keyboard also before scripts run. */
    postprocessRenderedBlock: ({ renderData }) => {
      const visit = (node: Node) => {
        if (node.tagName === 'pre') node.properties = { ...node.properties, tabIndex: 0 }
        else node.children?.forEach(visit)
      }
      visit(renderData.blockAst as Node)
    },
  },
}
