import { Button, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { connectedOptions } from '../../api/events.ts'
import { statusOptions } from '../../api/queries.ts'
import { startAdding, startImporting } from '../../shared/dialogs.ts'
import { common } from '../../strings/common.ts'
import { firstRun as strings } from '../../strings/first-run.ts'
import { Command } from '../../ui/command.tsx'
import { IconBookmark, IconFileImport, IconPlugConnected } from '../../ui/icons/icons.ts'
import { LiveDot } from '../../ui/live-dot.tsx'
import classes from './first-run.module.css'

/** An empty library: three ways to begin, and where the service is. */
export function FirstRun() {
  const status = useQuery(statusOptions)
  const connected = useQuery(connectedOptions).data
  return (
    <div className={classes.page}>
      <Title order={2} size="h2">
        {strings.title}
      </Title>
      <Text c="dimmed" mt={4}>
        {strings.text}
      </Text>
      <div className={classes.cards}>
        <Card icon={<IconBookmark size={26} stroke={1.5} />} title={strings.save} text={strings.saveText}>
          <Button onClick={() => startAdding()}>{strings.saveAction}</Button>
        </Card>
        <Card icon={<IconFileImport size={26} stroke={1.5} />} title={strings.import} text={strings.importText}>
          <Button variant="default" onClick={() => startImporting()}>
            {strings.importAction}
          </Button>
        </Card>
        <Card icon={<IconPlugConnected size={26} stroke={1.5} />} title={strings.connect} text={strings.connectText}>
          <Button variant="default" component={Link} href="/profile/api-keys">
            {strings.connectAction}
          </Button>
        </Card>
      </div>
      {status.data && (
        <div className={classes.address}>
          <Text size="sm" c="dimmed" mb={6} component="div">
            <LiveDot live={connected} label={connected ? common.connected : common.notConnected} /> {strings.address}
          </Text>
          <Command text={status.data.mcp} />
        </div>
      )}
    </div>
  )
}

function Card({ icon, title, text, children }: { icon: ReactNode; title: string; text: string; children: ReactNode }) {
  return (
    <section className={classes.card}>
      <span className={classes.icon}>{icon}</span>
      <Title order={3} size="h5">
        {title}
      </Title>
      <Text size="sm" c="dimmed" flex={1}>
        {text}
      </Text>
      {children}
    </section>
  )
}
