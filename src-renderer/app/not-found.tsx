import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import { shell } from '../strings/shell.ts'
import { Page } from '../ui/page.tsx'

export function NotFound() {
  return (
    <Page title={shell.notFound}>
      <Anchor component={Link} href="/">
        {shell.toAll}
      </Anchor>
    </Page>
  )
}
