// Comforts for a player's seat; every form works without them.
"use strict";
