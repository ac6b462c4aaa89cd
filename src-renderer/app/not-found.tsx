import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import { Page } from '../shared/page.tsx'
import { shell } from '../strings/shell.ts'

export function NotFound() {
  return (
    <Page title={shell.notFound}>
      <Anchor component={Link} href="/">
        {shell.toAll}
      </Anchor>
    </Page>
  )
}
