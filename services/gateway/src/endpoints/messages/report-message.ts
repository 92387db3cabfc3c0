import { LIMITS, REPORT_TYPE_KEYS } from '@parley/shared/values';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { boundedText, pathId, text } from '../../http/parameters';

const description = z.string().trim().pipe(boundedText(LIMITS.reportDescriptionLength));

export const reportMessage = endpoint({
  method: 'POST',
  path: '/messages/{message_id}/report',
  summary: "Report a message to the organization's moderators",
  auth: 'user',
  parameters: {
    message_id: pathId(),
    report_type: text(z.enum(REPORT_TYPE_KEYS)),
    description: text(description.default('').describe('Required for `other`.')),
  },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { message_id: messageId, report_type: reportType, ...values }) {
    await services.messages.reportMessage(call, { messageId, reportType, description: values.description });
    return {};
  },
});
