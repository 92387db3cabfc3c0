{{/* Labels of every object: of the chart, of what it is part of, and of what is named. */}}
{{- define "parley.labels" -}}
app.kubernetes.io/name: {{ .name }}
{{ include "parley.commonLabels" .root }}
{{- end }}

{{- define "parley.commonLabels" -}}
app.kubernetes.io/part-of: parley
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "parley.image" -}}
{{- $own := (index .root.Values.services .name).tag -}}
{{ .root.Values.image.registry }}/{{ .name }}:{{ $own | default .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end }}

{{/* What a pod may do: nothing. */}}
{{- define "parley.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .pods.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .pods.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .pods.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end }}

{{/* Of pods that run the operator's command. */}}
{{- define "parley.operatorSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "parley.operatorImage" -}}
image: {{ .Values.image.registry }}/operator:{{ .Values.operator.tag | default .Values.image.tag | default .Chart.AppVersion }}
{{- with .Values.image.pullPolicy }}
imagePullPolicy: {{ . }}
{{- end }}
{{- end }}

{{- define "parley.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* Keys of the secret that a service is given, in the order of its settings; with ? at the end: if there are any. */}}
{{- define "parley.secretsOf" -}}
{{- $of := dict
  "gateway" (list "UPLOAD_TOKEN_SECRET")
  "messages" (list "DATABASE_URL")
  "realm" (list "DATABASE_URL" "BOT_KEY_SECRET" "SMTP_URL?")
  "invites" (list "DATABASE_URL" "INVITATION_KEY_SECRET" "SMTP_URL?")
  "events" (list)
  "scheduler" (list "DATABASE_URL" "SMTP_URL?" "MAIL_IN_KEY?" "VAPID_PRIVATE_KEY?" "PUSH_GATEWAY_KEY?")
  "operator" (list)
  "audit-stream" (list "AUDIT_STREAM_AUTHORIZATION?")
  "migration" (list "DATABASE_URL" "MIGRATION_DATABASE_URL?") -}}
{{- $keys := index $of .name -}}
{{- if and (not (has .name (list "migration" "operator" "audit-stream"))) (or .root.Values.nats.enabled .root.Values.nats.urlInSecret) -}}
{{- $keys = append $keys "NATS_URL" -}}
{{- end -}}
{{- if and (has .name (list "gateway" "operator")) .root.Values.uploads.bucket .root.Values.uploads.keysInSecret -}}
{{- $keys = concat $keys (list "S3_ACCESS_KEY_ID" "S3_SECRET_ACCESS_KEY") -}}
{{- end -}}
{{- join "," $keys -}}
{{- end }}

{{- define "parley.env" -}}
{{- $secretName := .root.Values.secretName -}}
{{- range compact (splitList "," (include "parley.secretsOf" .)) }}
- name: {{ trimSuffix "?" . }}
  valueFrom:
    secretKeyRef:
      name: {{ $secretName }}
      key: {{ trimSuffix "?" . }}
      {{- if hasSuffix "?" . }}
      optional: true
      {{- end }}
{{- end }}
{{- end }}

{{- define "parley.services" -}}gateway,messages,realm,invites,events,scheduler{{- end }}
{{- define "parley.withDatabase" -}}messages,realm,invites,scheduler{{- end }}

{{/* What the ConfigMap "settings" holds; pods that were given others are replaced. */}}
{{- define "parley.settings" -}}
{{- $settings := dict
  "LOG_LEVEL" "info"
  "EXTERNAL_HOST" .Values.externalHost
  "METRICS_LISTEN" "0.0.0.0:9464"
  "API_BRANDS" "service"
  "MAIL_FROM" .Values.mailFrom
  "MIGRATE_ON_START" "false" -}}
{{- range list "realm" "messages" "invites" "scheduler" "events" -}}
{{- $_ := set $settings (printf "%s_ADDRESS" (upper .)) (printf "%s:50051" .) -}}
{{- end -}}
{{- with .Values.trustedProxies }}{{- $_ := set $settings "TRUSTED_PROXIES" (toString .) -}}{{- end -}}
{{- if not (or .Values.nats.enabled .Values.nats.urlInSecret) -}}
{{- $_ := set $settings "NATS_URL" (required "nats.url must say where NATS is, unless nats.enabled or nats.urlInSecret" .Values.nats.url) -}}
{{- end -}}
{{- with .Values.uploads.bucket }}{{- $_ := set $settings "S3_BUCKET" . -}}{{- $_ := set $settings "S3_REGION" $.Values.uploads.region -}}{{- end -}}
{{- with .Values.uploads.endpoint }}{{- $_ := set $settings "S3_ENDPOINT" . -}}{{- end -}}
{{- if .Values.tls.enabled -}}
{{- $_ := set $settings "TLS_CERT_FILE" "/tls/tls.crt" -}}
{{- $_ := set $settings "TLS_KEY_FILE" "/tls/tls.key" -}}
{{- $_ := set $settings "TLS_CA_FILE" "/tls/ca.crt" -}}
{{- $_ := set $settings "HEALTH_LISTEN" "0.0.0.0:50052" -}}
{{- end -}}
{{- range $name, $value := .Values.settings }}{{- $_ := set $settings $name (toString $value) -}}{{- end -}}
{{- toYaml $settings -}}
{{- end }}

{{- define "parley.natsConf" -}}
port: 4222
http_port: 8222
max_payload: 8MB
authorization { user: parley, password: $NATS_PASSWORD }
pid_file: /run/nats/nats.pid
{{- if gt (int .Values.nats.replicas) 1 }}
lame_duck_grace_period: 5s
lame_duck_duration: 35s
{{- end }}
jetstream {
  store_dir: /data
  max_file_store: {{ .Values.nats.maxFileStore }}
}
{{- if gt (int .Values.nats.replicas) 1 }}
cluster {
  name: parley
  port: 6222
  routes: [
    {{- range until (int .Values.nats.replicas) }}
    nats://nats-{{ . }}.nats-peers:6222
    {{- end }}
  ]
}
{{- end }}
{{ end }}

{{/* Blocks of addresses as the peers of a network policy. */}}
{{- define "parley.blocks" -}}
{{- range . }}
- ipBlock: { cidr: {{ . | quote }} }
{{- end }}
{{- end }}
