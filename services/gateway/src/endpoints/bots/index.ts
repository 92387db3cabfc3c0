export { getBotStorage, putBotStorage, removeBotStorage } from './bot-storage';
export { createBot } from './create-bot';
export { deactivateBot } from './deactivate-bot';
export { getBotApiKey } from './get-bot-api-key';
export { getBotSigningSecret } from './get-bot-signing-secret';
export { listOwnBots } from './list-own-bots';
export { regenerateBotApiKey } from './regenerate-bot-api-key';
export { updateBot } from './update-bot';
