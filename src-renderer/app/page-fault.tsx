import { Button, Text } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { Page } from '../shared/page.tsx'
import { common } from '../strings/common.ts'

/** Shows that a page failed, rather than nothing at all. The rest of the window goes on. */
export class PageFault extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <Page title={common.unexpected}>
        <Text role="alert" mb="md">
          {common.pageFailed}
        </Text>
        <Button onClick={() => location.reload()}>{common.retry}</Button>
      </Page>
    )
  }
}
